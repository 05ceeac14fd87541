import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { invoke } from '../../bin/invoke/invoke.ts';
import { mockClient } from '../support/mock-client.ts';
import { synthesized } from '../support/prepare.ts';
import { describedStack, stackOutputs } from '../support/stack-outputs.ts';

const cloudFormation = mockClient(CloudFormationClient);
const lambda = mockClient(LambdaClient);
const stack = 'DogService-prod';
const event = join(import.meta.dirname, '../../events/GetDog.json');

const TemplateBody = readFileSync(join(synthesized, `${stack}.template.json`), 'utf8');
const resources = Object.entries<{ Type: string }>(JSON.parse(TemplateBody).Resources).map(
  ([LogicalResourceId, { Type }]) => ({
    LogicalResourceId,
    PhysicalResourceId: `${stack}-${LogicalResourceId}-AbCdEfGhIjKl`,
    ResourceType: Type,
    LastUpdatedTimestamp: new Date(),
    ResourceStatus: 'CREATE_COMPLETE' as const,
  }),
);

beforeEach(() => {
  cloudFormation.reset();
  cloudFormation.on(DescribeStacksCommand).resolves(describedStack(stackOutputs()));
  cloudFormation.on(GetTemplateCommand, { StackName: stack }).resolves({ TemplateBody });
  cloudFormation
    .on(ListStackResourcesCommand, { StackName: stack })
    .resolves({ StackResourceSummaries: resources.slice(0, 100), NextToken: 'more' })
    .on(ListStackResourcesCommand, { StackName: stack, NextToken: 'more' })
    .resolves({ StackResourceSummaries: resources.slice(100) });
  lambda.reset();
});

/** Returns the function name and the event of the only invocation. */
function invocation() {
  const [call, ...more] = lambda.commandCalls(InvokeCommand);
  expect(more).toEqual([]);
  const { FunctionName, Payload } = call?.args[0].input ?? {};
  return { name: FunctionName, event: JSON.parse(String(Payload)) };
}

test.each([
  ['GetBark', /^DogService-prod-ApiGetBark[0-9A-F]{8}-AbCdEfGhIjKl$/],
  ['GetBarkSchedule', /^DogService-prod-ApiGetBarkSchedule[0-9A-F]{8}-AbCdEfGhIjKl$/],
  ['PurgeDog', /^DogService-prod-PurgePurgeDog[0-9A-F]{8}-AbCdEfGhIjKl$/],
])('invoke calls %s by its physical name in the deployed stack', async (id, name) => {
  const text = '{"statusCode":200}';
  const Payload = Object.assign(Buffer.from(text), { transformToString: () => text });
  lambda.on(InvokeCommand).resolves({ Payload });
  expect(await invoke(id, event, { stack })).toEqual({ statusCode: 200 });
  expect(invocation().name).toMatch(name);
  expect(invocation().event).toEqual(JSON.parse(readFileSync(event, 'utf8')));
});

test.each(['Get', 'ApiGetDog', 'constructor', 'RestApi'])(
  'invoke throws an error with the names of the functions for "%s"',
  async (id) => {
    await expect(invoke(id, event, { stack })).rejects.toThrow(
      /^Unknown function "\w+"\.( Did you mean "\w+"\?)? The functions are: (\w+, )+\w+\.$/,
    );
    expect(lambda.calls()).toEqual([]);
  },
);

test('invoke throws an error before any AWS call for a file that does not exist', async () => {
  const reason = /^Cannot read the event file: .*events\/None\.json/;
  await expect(invoke('GetDog', 'events/None.json', { stack })).rejects.toThrow(reason);
  expect(cloudFormation.calls()).toEqual([]);
});

test.each([
  ['{"errorType":"Error","errorMessage":"No"}', 'Error: No'],
  ['null', 'Error: null'],
  ['not JSON', 'Error: not JSON'],
])('invoke throws what the function threw: %s', async (text, message) => {
  const Payload = Object.assign(Buffer.from(text), { transformToString: () => text });
  lambda.on(InvokeCommand).resolves({ Payload, FunctionError: 'Unhandled' });
  await expect(invoke('GetDog', event, { stack })).rejects.toThrow(message);
});
