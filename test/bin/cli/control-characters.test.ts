import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSuppressedDestinationCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { mockClient } from '../../support/mock-client.ts';
import { describedStack, stackOutputs } from '../../support/stack-outputs.ts';
import { evil, printEvil, unprintable } from './evil.ts';
import { commandRunner } from './runner.ts';

const { dogs } = commandRunner();

const run = (args: string) => printEvil(dogs, args);

describe('a command does not pass on the control characters of the service', () => {
  beforeEach(() => {
    Object.assign(process.env, { DOGS_URL: 'https://dogs.example', DOGS_USER: 'jane', DOGS_PASSWORD: 'x' });
  });

  function answer(body: object, status = 200, fields: Readonly<Record<string, string>> = {}): void {
    jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () => Response.json(body, { status, headers: fields }));
  }

  test.each<[string, object]>([
    ['list', { dogs: [{ id: evil, owner: evil, [evil]: evil }] }],
    ['list', { dogs: [{ id: 'rex', tricks: [{ [evil]: evil }] }] }],
    ['barks list rex', { barks: [{ id: evil, timestamp: null, status: evil, reason: evil }] }],
  ])('in a list: %s', async (args, body) => {
    answer(body);
    expect(await run(args)).toEqual(Object.values(body)[0]);
  });

  test.each<[string, object]>([
    ['get rex', { id: 'rex', owner: evil, [evil]: evil, tricks: { [evil]: [evil] } }],
    ['get rex', { id: 'rex', suspended: [{ address: evil, reason: evil, since: 0 }] }],
    ['barks get rex s01', { id: evil, dog: evil, timestamp: null, status: evil, reason: evil }],
  ])('in a document: %s', async (args, body) => {
    answer(body);
    expect(await run(args)).toEqual(body);
  });

  test('in the reason of a bark that failed', async () => {
    answer({ id: 'a01', timestamp: null, status: 'failed', reason: evil });
    const { code, stderr } = await dogs('bark rex');
    expect([code, stderr]).toEqual([1, expect.not.stringMatching(unprintable)]);
  });

  test.each<[string, object]>([
    ['its title', { title: evil }],
    ['its detail', { title: 'No', detail: evil }],
    ['its errors', { title: 'No', errors: [{ pointer: `/${evil}`, detail: evil }] }],
    ['its request ID', { title: 'No', type: '#problem-internal-error', instance: `#${evil}` }],
  ])('in a problem: %s', async (_, problem) => {
    answer(problem, 500);
    await run('get rex');
    const { stderr } = await dogs('get rex');
    expect(stderr).not.toMatch(/^Password/m);
  });

  test('in the link to a bark', async () => {
    answer({ timestamp: 0 }, 200, { Link: '<https://dogs.example/barks/\u009b31m]0;evil>; rel="item"' });
    await run('barks get rex');
  });
});

describe('a command does not pass on the control characters of AWS', () => {
  const stack = 'DogService-test';
  const sqs = mockClient(SQSClient);
  const lambda = mockClient(LambdaClient);
  const ses = mockClient(SESv2Client);
  mockClient(CloudFormationClient)
    .on(DescribeStacksCommand, { StackName: stack })
    .resolves(describedStack(stackOutputs()));

  const failed = (requestPayload: unknown) =>
    JSON.stringify({
      requestContext: { condition: evil, approximateInvokeCount: 1 },
      requestPayload,
      responsePayload: { errorType: evil, errorMessage: evil },
    });

  const attributes = (error: string) => ({
    TARGET_ARN: { DataType: 'String', StringValue: evil },
    ERROR_CODE: { DataType: 'String', StringValue: error },
  });

  const notification = JSON.stringify({
    source: evil,
    'detail-type': evil,
    detail: { bounce: { bouncedRecipients: [{ emailAddress: evil, diagnosticCode: evil }] } },
  });

  beforeEach(() => {
    for (const mock of [sqs, lambda, ses]) mock.reset();
    const Attributes = { ApproximateNumberOfMessages: '1', ApproximateNumberOfMessagesNotVisible: '0' };
    sqs.on(GetQueueAttributesCommand).resolves({ Attributes });
    sqs.on(DeleteMessageCommand).resolves({});
  });

  function receive(Body: string, MessageAttributes = {}): void {
    const message = { MessageId: 'm', ReceiptHandle: 'r', Attributes: { SentTimestamp: '0' } };
    let isNext = true;
    sqs.on(ReceiveMessageCommand).callsFake(async () => {
      isNext = !isNext;
      return isNext ? {} : { Messages: [{ ...message, Body, MessageAttributes }] };
    });
  }

  test.each<[string, string, object]>([
    ['a failed invocation', failed({ [evil]: [evil] }), {}],
    ['an undelivered event', JSON.stringify({ [evil]: evil }), attributes(evil)],
    ['an undelivered event that is not JSON', evil, attributes(evil)],
    ['a notification', notification, {}],
    ['an unknown message', evil, {}],
  ])('in a dead-letter message: %s', async (_, body, messageAttributes) => {
    receive(body, messageAttributes);
    await run(`queues get BarkDlq --stack ${stack}`);
  });

  test('in a dead-letter message that is nested too deeply', async () => {
    receive(`${'['.repeat(10_000)}${']'.repeat(10_000)}`);
    const { code, stdout } = await dogs(`queues get BarkDlq --stack ${stack}`);
    expect([code, stdout]).toEqual([0, expect.stringContaining('The format of the message is unknown.')]);
  });

  test('in the error of a function', async () => {
    receive(failed({}));
    lambda.on(InvokeCommand).rejects(new Error(evil));
    await run(`queues redrive BarkDlq --stack ${stack}`);
  });

  test('in an error', async () => {
    ses
      .on(GetSuppressedDestinationCommand)
      .rejects(Object.assign(new Error(evil), { name: evil, $metadata: {} }));
    await run(`addresses get rex@example.com --stack ${stack}`);
  });
});
