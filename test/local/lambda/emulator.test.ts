import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Invoke } from '../../../local/lambda/async-invocations.ts';
import { LambdaEmulator } from '../../../local/lambda/emulator.ts';
import { FunctionError, TooManyRequestsException } from '../../../local/lambda/errors.ts';
import { arn } from '../../../local/template/arns.ts';
import { Template } from '../../../local/template/template.ts';
import { aliasedFunction } from '../../support/aliased-function.ts';
import { serve } from '../../support/local-aws.ts';

const functionArn = arn('lambda', 'function:Stack-Bark');
const template = new Template({ Resources: aliasedFunction }, 'Stack');

let functionDoes: Invoke;
const queued: unknown[] = [];
let lambda: LambdaClient;
let close: () => void;

beforeAll(async () => {
  const emulator = new LambdaEmulator(template, {
    invoke: (...parameters) => functionDoes(...parameters),
    invocations: { put: (...parameters) => void queued.push(parameters) },
  });
  const { endpoint, configuration } = await serve('lambda', emulator.serve);
  lambda = new LambdaClient(configuration);
  close = () => endpoint.close();
});
afterAll(() => close());
beforeEach(() => {
  functionDoes = async (...parameters) => ({ parameters });
  queued.length = 0;
});

async function invoke(
  input: Omit<ConstructorParameters<typeof InvokeCommand>[0], 'FunctionName'>,
  name = 'Stack-Bark',
) {
  const { Payload, ...response } = await lambda.send(new InvokeCommand({ FunctionName: name, ...input }));
  return { ...response, text: Payload?.transformToString() };
}

test.each(['Stack-Bark', functionArn, '000000000000:function:Stack-Bark'])(
  'a function is found by %s, and its response is returned',
  async (name) => {
    const response = await invoke({ Payload: '{"dog":"rex"}' }, name);
    expect(response).toMatchObject({ StatusCode: 200, ExecutedVersion: '$LATEST' });
    expect(response.FunctionError).toBeUndefined();
    expect(JSON.parse(response.text ?? '')).toEqual({ parameters: [functionArn, { dog: 'rex' }] });
  },
);

test.each(['Stack-Bark:live', `${functionArn}:live`, '000000000000:function:Stack-Bark:live'])(
  'an alias is found by %s, and the response names its version',
  async (name) => {
    const response = await invoke({ Payload: '{"dog":"rex"}' }, name);
    expect(response).toMatchObject({ StatusCode: 200, ExecutedVersion: '1' });
    expect(JSON.parse(response.text ?? '')).toEqual({ parameters: [`${functionArn}:live`, { dog: 'rex' }] });
  },
);

test('the name of an alias does not identify a function', async () => {
  await expect(invoke({}, 'live')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('the event is an empty object if the call has no payload', async () => {
  expect(JSON.parse((await invoke({})).text ?? '')).toEqual({ parameters: [functionArn, {}] });
});

test('the payload is null if the function returns nothing', async () => {
  functionDoes = async () => undefined;
  expect((await invoke({})).text).toBe('null');
});

test('a throttled invocation returns 429 TooManyRequestsException', async () => {
  functionDoes = async () => {
    throw new TooManyRequestsException();
  };
  const refused = lambda.send(new InvokeCommand({ FunctionName: 'Stack-Bark', Payload: '{}' }));
  await expect(refused).rejects.toMatchObject({
    name: 'TooManyRequestsException',
    $metadata: { httpStatusCode: 429 },
  });
});

test('the error of a function is returned as the payload, with X-Amz-Function-Error', async () => {
  functionDoes = async () => {
    throw new FunctionError('TypeError', 'It is no dog.');
  };
  const { StatusCode, FunctionError: kind, text } = await invoke({});
  expect({ StatusCode, kind, ...JSON.parse(text ?? '') }).toEqual({
    StatusCode: 200,
    kind: 'Unhandled',
    errorType: 'TypeError',
    errorMessage: 'It is no dog.',
  });
});

test('an asynchronous invocation is queued', async () => {
  functionDoes = () => new Promise(() => {});
  const { StatusCode, text } = await invoke({ InvocationType: 'Event', Payload: '{"dog":"rex"}' });
  expect({ StatusCode, text, queued }).toEqual({
    StatusCode: 202,
    text: undefined,
    queued: [[functionArn, { dog: 'rex' }]],
  });
});

test('a dry run invokes nothing', async () => {
  functionDoes = () => Promise.reject(new Error('It was invoked.'));
  expect(await invoke({ InvocationType: 'DryRun' })).toMatchObject({ StatusCode: 204 });
  expect(queued).toEqual([]);
});

test.each(['Bark', 'Stack-Bar', 'ack-Bark', arn('lambda', 'function:Other')])(
  '%s is not a function',
  async (name) => {
    await expect(invoke({}, name)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: `Function not found: ${name}`,
    });
  },
);

test('a payload that is not JSON is refused', async () => {
  await expect(invoke({ Payload: '{' })).rejects.toMatchObject({ name: 'InvalidRequestContentException' });
});
