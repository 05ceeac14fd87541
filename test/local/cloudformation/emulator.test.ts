import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { createCloudFormationEmulator } from '../../../local/cloudformation/emulator.ts';
import { Template } from '../../../local/template/template.ts';
import { serve } from '../../support/local-aws.ts';

const outputs = { BaseUrl: 'http://127.0.0.1:3000', Queues: '[{"name":"<a> & \'b\'"}]' };
let client: CloudFormationClient;
let close: () => void;

beforeAll(async () => {
  const template = new Template({ Resources: {} }, 'Stack');
  const { endpoint, configuration } = await serve(
    'cloudformation',
    createCloudFormationEmulator(template, () => outputs),
  );
  client = new CloudFormationClient(configuration);
  close = () => endpoint.close();
});
afterAll(() => {
  client.destroy();
  close();
});

describe('The emulator of CloudFormation', () => {
  test('describes the stack with its outputs', async () => {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: 'Stack' }));
    expect(Stacks).toEqual([
      expect.objectContaining({
        StackName: 'Stack',
        StackStatus: 'CREATE_COMPLETE',
        Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
      }),
    ]);
  });

  test('refuses another stack as AWS does', async () => {
    const described = client.send(new DescribeStacksCommand({ StackName: 'Other' }));
    await expect(described).rejects.toMatchObject({
      name: 'ValidationError',
      message: 'Stack with id Other does not exist',
    });
  });

  test('refuses other actions', async () => {
    await expect(client.send(new ListStacksCommand({}))).rejects.toMatchObject({ name: 'InvalidAction' });
  });
});
