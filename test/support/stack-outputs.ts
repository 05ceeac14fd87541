import type { DescribeStacksOutput } from '@aws-sdk/client-cloudformation';
import type { Outputs } from '../../bin/cli/deployment.ts';

/** Returns the outputs of a dog service whose tables are those of the embedded database, if a test uses it. */
export function stackOutputs(): Outputs {
  const { DOGS_TABLE = 'dogs-1', BARKS_TABLE = 'barks-1', ACCESS_TABLE = 'access-1' } = process.env;
  return {
    BaseUrl: 'https://dogs.example.org',
    DogsTable: DOGS_TABLE,
    BarksTable: BARKS_TABLE,
    AccessTable: ACCESS_TABLE,
    EventLog: '/aws/events/test', // @extension events
    ScheduleGroup: 'dogs-test',
    ScheduleTarget: 'arn:aws:lambda:us-east-1:000000000000:function:target',
    ScheduleRole: 'arn:aws:iam::000000000000:role/scheduler',
    ScheduleDlq: 'arn:aws:sqs:us-east-1:000000000000:schedule-dlq',
    SigningKeySecret: 'signing-key',
    Credentials: '[]',
    Queues: JSON.stringify([
      { name: 'BarkDlq', url: 'https://sqs.example/bark', function: 'Bark' },
      { name: 'MailFeedback', url: 'https://sqs.example/feedback' },
    ]),
  };
}

/** Returns the response of CloudFormation to DescribeStacks for a stack with these outputs. */
export function describedStack(
  outputs: Readonly<Record<string, string>>,
  StackStatus: 'CREATE_COMPLETE' | 'CREATE_IN_PROGRESS' | 'ROLLBACK_COMPLETE' = 'CREATE_COMPLETE',
): DescribeStacksOutput {
  const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  return { Stacks: [{ StackName: 'DogService-test', CreationTime: new Date(), StackStatus, Outputs }] };
}
