import { setImmediate as turn } from 'node:timers/promises';
import { DeadLetterQueues } from '../../../local/sqs/dead-letter-queues.ts';
import type { Queues } from '../../../local/sqs/queues.ts';
import { arn } from '../../../local/template/arns.ts';
import { Template } from '../../../local/template/template.ts';
import { useTestCloud } from '../../support/emulators.ts';

const cloud = useTestCloud();

const template = new Template(
  {
    Resources: {
      Unsettled: {
        Type: 'AWS::SQS::Queue',
        Properties: { QueueName: 'unsettled-barks' },
        Metadata: { 'aws:cdk:path': 'Stack/BarkWorkflow/Unsettled/Resource' },
      },
    },
  },
  'Stack',
);
const unsettled = arn('sqs', 'unsettled-barks');

let queues: Queues;
let deadLetterQueues: DeadLetterQueues;
beforeEach(() => {
  ({ queues, deadLetterQueues } = cloud.queues(template));
});

test('Concurrent messages are logged in one line for each queue', async () => {
  deadLetterQueues.put(unsettled, '{}');
  await turn();
  deadLetterQueues.put(unsettled, '{}');
  deadLetterQueues.put(unsettled, '{}');
  await turn();
  expect(cloud.logged).toEqual([
    'The queue Unsettled has a new message.',
    'The queue Unsettled has 2 new messages.',
  ]);
});

test('The line about new messages ends with the command that shows them', async () => {
  new DeadLetterQueues(queues, { showQueue: (name) => `show ${name}` }).put(unsettled, '{}');
  await turn();
  expect(cloud.logged).toEqual(['The queue Unsettled has a new message: show Unsettled']);
});

test('put throws an error if the template does not have the queue', () => {
  expect(deadLetterQueues.has(unsettled)).toBe(true);
  expect(deadLetterQueues.has(arn('sqs', 'unknown'))).toBe(false);
  expect(() => deadLetterQueues.put(arn('sqs', 'unknown'), '{}')).toThrow(
    'The template has no queue arn:aws:sqs:us-east-1:000000000000:unknown.',
  );
});
