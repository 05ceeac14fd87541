import * as sdk from '@aws-sdk/client-cloudformation';
import { createCloudFormationEmulator } from '../../cloudformation/emulator.ts';
import { Template } from '../../template/template.ts';
import { conformance, sender } from '../support/conformance.ts';
import { useTestCloud } from '../support/emulators.ts';

const cloud = useTestCloud();
const outputs = { BaseUrl: 'http://127.0.0.1:3000', Queues: '[{"name":"<a> & \'b\'"}]' };
const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));

async function open() {
  const emulator = createCloudFormationEmulator(new Template({ Resources: {} }, 'Stack'), outputs);
  return sender(await cloud.client(sdk.CloudFormationClient, 'cloudformation', emulator), sdk);
}

conformance('https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/', open, {
  'The stack is described with its outputs': [
    [
      'DescribeStacks',
      { StackName: 'Stack' },
      { Stacks: [{ StackName: 'Stack', StackStatus: 'CREATE_COMPLETE', Outputs }] },
    ],
  ],
  'Another stack and another action are refused': [
    [
      'DescribeStacks',
      { StackName: 'Other' },
      { refused: 'ValidationError', message: 'Stack with id Other does not exist' },
    ],
    ['ListStacks', {}, { refused: 'InvalidAction' }],
  ],
});
