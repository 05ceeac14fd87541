import * as sdk from '@aws-sdk/client-lambda';
import type { Invoke } from '../../lambda/async-invocations.ts';
import { LambdaEmulator } from '../../lambda/emulator.ts';
import { FunctionError, TooManyRequestsException } from '../../lambda/errors.ts';
import { arn } from '../../template/arns.ts';
import { Template } from '../../template/template.ts';
import { aliasedFunction } from '../support/aliased-function.ts';
import { type Send, sender } from '../support/conformance.ts';
import { useTestCloud } from '../support/emulators.ts';

const functionArn = arn('lambda', 'function:Stack-Bark');
const template = new Template({ Resources: aliasedFunction }, 'Stack');

const cloud = useTestCloud();
let functionDoes: Invoke;
let queued: unknown[];
let send: Send;

beforeEach(async () => {
  functionDoes = async (...parameters) => ({ parameters });
  queued = [];
  const { serve } = new LambdaEmulator(template, {
    invoke: (...parameters) => functionDoes(...parameters),
    invocations: { put: (...parameters) => void queued.push(parameters) },
  });
  send = sender(await cloud.client(sdk.LambdaClient, 'lambda', serve), sdk);
});

async function invoke(input: object, FunctionName = 'Stack-Bark') {
  const response = await send<sdk.InvokeCommandOutput>('Invoke', { FunctionName, ...input });
  return { ...response, text: response.Payload?.transformToString() };
}

const throwing = (error: Error) => () => Promise.reject(error);
const parametersOf = ({ text = '' }) => JSON.parse(text).parameters;

test.each([
  ['Stack-Bark', functionArn, '$LATEST'],
  [functionArn, functionArn, '$LATEST'],
  ['Stack-Bark:live', `${functionArn}:live`, '1'],
  [`${functionArn}:live`, `${functionArn}:live`, '1'],
])('%s invokes %s, and the response has its version %s', async (name, invoked, ExecutedVersion) => {
  const response = await invoke({ Payload: '{"dog":"rex"}' }, name);
  expect(response).toMatchObject({ StatusCode: 200, ExecutedVersion });
  expect(response.FunctionError).toBeUndefined();
  expect(parametersOf(response)).toEqual([invoked, { dog: 'rex' }]);
});

test.each(['live', 'Bark', 'Stack-Bar', 'ack-Bark', arn('lambda', 'function:Other')])(
  '%s is not a function',
  async (name) => {
    expect(await invoke({}, name)).toMatchObject({
      refused: 'ResourceNotFoundException',
      message: `Function not found: ${name}`,
    });
  },
);

test('a call without a payload has an empty event, and a function without a result the payload null', async () => {
  expect(parametersOf(await invoke({}))).toEqual([functionArn, {}]);
  functionDoes = async () => undefined;
  expect((await invoke({})).text).toBe('null');
});

test('a throttled invocation returns 429 TooManyRequestsException', async () => {
  functionDoes = throwing(new TooManyRequestsException());
  const refused = { refused: 'TooManyRequestsException', status: 429 };
  expect(await invoke({ Payload: '{}' })).toMatchObject(refused);
});

test('the error of a function is returned as the payload, with X-Amz-Function-Error', async () => {
  functionDoes = throwing(new FunctionError('TypeError', 'It is no dog.'));
  const { StatusCode, FunctionError: kind, text = '' } = await invoke({});
  expect([StatusCode, kind]).toEqual([200, 'Unhandled']);
  expect(JSON.parse(text)).toEqual({ errorType: 'TypeError', errorMessage: 'It is no dog.' });
});

test('an asynchronous invocation is queued', async () => {
  functionDoes = () => new Promise(() => {});
  const { StatusCode, text } = await invoke({ InvocationType: 'Event', Payload: '{"dog":"rex"}' });
  expect([StatusCode, text, queued]).toEqual([202, undefined, [[functionArn, { dog: 'rex' }]]]);
});

test('an invocation of another type is refused', async () => {
  const refused = { refused: 'UnknownOperationException', status: 400 };
  expect(await invoke({ InvocationType: 'DryRun' })).toMatchObject(refused);
});
