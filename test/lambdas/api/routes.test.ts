import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  InternalServerError,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { MessageRejected, SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { handler as deleteBark } from '../../../lambdas/api/dogs/barks/delete.ts';
import { handler as getBark } from '../../../lambdas/api/dogs/barks/get.ts';
import { handler as listBarks } from '../../../lambdas/api/dogs/barks/list.ts';
import { handler as postBarks } from '../../../lambdas/api/dogs/barks/post.ts';
import { handler as deleteDog } from '../../../lambdas/api/dogs/delete.ts';
import { handler as getDog } from '../../../lambdas/api/dogs/get.ts';
import { handler as listDogs } from '../../../lambdas/api/dogs/list.ts';
import { handler as putDog } from '../../../lambdas/api/dogs/put.ts';
import { handler as fallback } from '../../../lambdas/api/fallback.ts';
import { sortKey } from '../../../lambdas/domain/dogs/keys.ts';
import {
  BarkListDocument,
  BarkResource,
  DogDocument,
  DogListDocument,
} from '../../../openapi/representations.ts';
import { sampleEvent } from '../../../tools/invocation.ts';
import { invoke, lambdaRequestId } from '../../support/invoke.ts';
import { mockClient } from '../../support/mock-client.ts';

const dynamodb = mockClient(DynamoDBDocumentClient);
const ses = mockClient(SESClient);

const base = 'https://abc123defg.execute-api.us-east-1.amazonaws.com/prod';
const incarnation = '01KAK0XW00ABCDEFGHJKMNPQRS';
const dog = {
  id: 'record-sync',
  incarnation,
  mailKey: 'a mail key',
  version: 7,
  lastModified: 1795262400,
  settingsVersion: 1,
  settingsModified: 1795262000,
  settings: { barkEffects: ['record'], barkHandling: 'sync' },
  barkCount: 3,
};
const item = {
  dog: 'record-sync',
  sk: sortKey('historyEntry', incarnation),
  incarnation,
  timestamp: 1795262400,
  resource: true,
};

const logged = jest.spyOn(console, 'error');
/** Returns the only log entry, which must be about the failed request. */
function loggedFailure(): { request: string; error: object } {
  expect(logged).toHaveBeenCalledTimes(1);
  return logged.mock.calls[0]?.[0];
}

beforeEach(() => {
  dynamodb.reset();
  ses.reset();
  logged.mockReset().mockImplementation(() => {});
  Object.assign(process.env, {
    DOGS_TABLE: 'dogs',
    BARKS_TABLE: 'barks',
    MAIL_SENDER: 'dogs@example.com',
    MAIL_CONFIGURATION_SET: 'mail',
  });
});

function isDog(changes: object = {}): void {
  dynamodb.on(GetCommand, { TableName: 'dogs' }).resolves({ Item: { ...dog, ...changes } });
}

/** Makes DynamoDB return the dog and, if it is given, an item of the barks table. */
function isDogWith(barkItem: Record<string, unknown> | undefined): void {
  dynamodb.on(BatchGetCommand).resolves({ Responses: { dogs: [dog], barks: barkItem ? [barkItem] : [] } });
}

describe('The CORS headers of a response', () => {
  afterEach(() => delete process.env.CORS_ORIGIN);

  test.each([
    ['of a success', { Item: dog }, 200],
    ['of a failure', {}, 404],
  ])('%s are present only with the setting corsOrigin', async (_, found, statusCode) => {
    dynamodb.on(QueryCommand).resolves({}).on(GetCommand).resolves(found);
    const closed = await invoke(getDog, 'GetDog');
    expect(closed.statusCode).toBe(statusCode);
    expect(closed.headers).not.toHaveProperty('Access-Control-Allow-Origin');
    process.env.CORS_ORIGIN = 'https://app.example.org';
    expect(await invoke(getDog, 'GetDog')).toMatchObject({
      statusCode,
      headers: {
        'Access-Control-Allow-Origin': 'https://app.example.org',
        'Access-Control-Expose-Headers': '*',
      },
    });
  });
});

describe('GET /v1/dogs/{dog_id}', () => {
  test('returns the dog with its validators', async () => {
    isDog();
    dynamodb.on(QueryCommand).resolves({
      Items: [
        { ...item, timestamp: 20 },
        { ...item, timestamp: 10 },
      ],
    });
    const response = await invoke(getDog, 'GetDog');
    expect(response).toMatchObject({
      statusCode: 200,
      headers: {
        'Cache-Control': 'private, no-cache',
        'Content-Type': 'application/json',
        ETag: expect.stringMatching(`^"${incarnation}\\.7\\.[\\w-]{12}"$`),
        'Last-Modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
        'X-Content-Type-Options': 'nosniff',
        'X-Request-Id': 'UAbcDeFgoAMEjkQ=',
      },
    });
    expect(v.is(DogDocument, response.json())).toBe(true);
    expect(response.json()).toEqual({
      id: 'record-sync',
      barkCount: 3,
      barkEffects: ['record'],
      barkHandling: 'sync',
      barking: false,
      barks: { previous: [10, 20] },
    });
  });

  test('returns a different ETag even if only the barks differ, and the same ETag for the same representation', async () => {
    isDog();
    dynamodb
      .on(QueryCommand)
      .resolvesOnce({ Items: [] })
      .resolves({ Items: [item] });
    const [withoutBarks, withBarks, again] = [
      await invoke(getDog, 'GetDog'),
      await invoke(getDog, 'GetDog'),
      await invoke(getDog, 'GetDog'),
    ].map(({ headers }) => headers?.ETag);
    expect(withoutBarks).not.toBe(withBarks);
    expect(again).toBe(withBarks);
  });

  test('returns 404 without a read of the dog for an invalid ID', async () => {
    dynamodb.on(QueryCommand).resolves({});
    const response = await invoke(getDog, 'GetDog', { pathParameters: { dog_id: 'a b' } });
    expect(response.statusCode).toBe(404);
    expect(dynamodb.commandCalls(GetCommand)).toHaveLength(0);
  });
});

describe('PUT /v1/dogs/{dog_id}', () => {
  test('returns 201 with a new dog, after one write', async () => {
    dynamodb.on(UpdateCommand).callsFake(({ ExpressionAttributeValues: values }) => ({
      Attributes: {
        ...dog,
        id: 'rex',
        incarnation: values[':incarnation'],
        version: 1,
        barkCount: 0,
        settings: values[':settings'],
      },
    }));
    const response = await invoke(putDog, 'PutDog', {
      body: '{"email":"dog@example.com","barkEffects":["emailDog"]}',
    });
    expect(response).toMatchObject({ statusCode: 201, headers: { Location: `${base}/v1/dogs/rex/` } });
    expect(response.headers).toHaveProperty('ETag');
    expect(response.json()).toMatchObject({
      id: 'rex',
      email: 'dog@example.com',
      barkHandling: 'sync',
    });
    expect(dynamodb.calls()).toHaveLength(1);
    const requestContext = { ...sampleEvent('PutDog').requestContext, domainName: undefined };
    const withoutDomain = await invoke(putDog, 'PutDog', { requestContext });
    expect(withoutDomain).toMatchObject({ statusCode: 201, headers: { Location: '/prod/v1/dogs/rex/' } });
  });

  test('keeps a Last-Modified that is ahead of the clock, so that it never goes back', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1795262400_000);
    const ahead = 1795262401;
    dynamodb
      .on(UpdateCommand)
      .rejectsOnce(
        new ConditionalCheckFailedException({
          $metadata: {},
          message: '',
          Item: { id: { S: 'record-sync' }, lastModified: { N: String(ahead) } },
        }),
      )
      .resolves({ Attributes: dog });
    expect((await invoke(putDog, 'PutDog')).statusCode).toBe(204);
    clock.mockRestore();
    const [, second] = dynamodb.commandCalls(UpdateCommand);
    expect(second?.args[0].input.ExpressionAttributeValues).toMatchObject({ ':lastModified': ahead });
  });
});

describe('DELETE /v1/dogs/{dog_id}', () => {
  test('returns 204, 404 and 412 with one AWS call each', async () => {
    const failure = (Item?: Record<string, { S: string }>) =>
      new TransactionCanceledException({
        $metadata: {},
        message: '',
        CancellationReasons: [{ Code: 'ConditionalCheckFailed', ...(Item && { Item }) }],
      });
    dynamodb
      .on(TransactWriteCommand)
      .resolvesOnce({})
      .rejectsOnce(failure())
      .rejectsOnce(failure({ id: { S: 'record-sync' } }));
    const statuses = [
      await invoke(deleteDog, 'DeleteDog'),
      await invoke(deleteDog, 'DeleteDog'),
      await invoke(deleteDog, 'DeleteDog', { headers: { 'If-Match': '"stale"' } }),
    ].map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([204, 404, 412]);
    expect(dynamodb.calls()).toHaveLength(3);
  });
});

describe('POST /v1/dogs/{dog_id}/barks', () => {
  test('sends mail with the configuration set that reports bounces', async () => {
    isDog({ settings: { barkEffects: ['emailDog'], barkHandling: 'sync', email: 'dog@example.com' } });
    ses.on(SendRawEmailCommand).resolves({});
    await invoke(postBarks, 'PostBarks');
    const [call] = ses.commandCalls(SendRawEmailCommand);
    expect(call?.args[0].input).toMatchObject({ Source: 'dogs@example.com', ConfigurationSetName: 'mail' });
  });

  test('returns 502 if SES refuses the mail, and logs it', async () => {
    isDog({
      settings: { barkEffects: ['emailDog', 'record'], barkHandling: 'sync', email: 'dog@example.com' },
    });
    ses
      .on(SendRawEmailCommand)
      .rejects(
        new MessageRejected({ $metadata: { httpStatusCode: 400 }, message: 'Not verified: dog@example.com' }),
      );
    const response = await invoke(postBarks, 'PostBarks');
    expect(response.json()).toMatchObject({
      status: 502,
      detail: 'The mail service refused the mail. No mail was sent. Check the email address.',
    });
    expect(dynamodb.commandCalls(TransactWriteCommand)).toHaveLength(0);
    expect(loggedFailure().error).toMatchObject({
      errorType: 'MailRefused',
      cause: { errorType: 'MessageRejected', errorMessage: 'Not verified: (an address)' },
    });
    expect(JSON.stringify(logged.mock.calls)).not.toContain('dog@example.com');
  });

  const notSent = { status: 503, type: 'mail-not-sent', retryAfter: '1', detail: 'No mail was sent.' };
  const unknown = { status: 504, type: 'mail-unknown', retryAfter: undefined, detail: 'may have been sent' };

  test.each([
    ['throttles', { name: 'Throttling', $fault: 'client', $metadata: { httpStatusCode: 400 } }, notSent],
    ['cannot be reached', { code: 'ECONNREFUSED' }, notSent],
    ['loses the connection', { code: 'ECONNRESET' }, unknown],
    ['fails', { $fault: 'server', $metadata: { httpStatusCode: 500 } }, unknown],
  ])('reports whether mail was sent if SES %s', async (_, error, { status, type, retryAfter, detail }) => {
    isDog({ settings: { barkEffects: ['emailDog'], barkHandling: 'sync', email: 'dog@example.com' } });
    ses.on(SendRawEmailCommand).rejects(Object.assign(new Error('ses'), error));
    const response = await invoke(postBarks, 'PostBarks');
    expect([response.statusCode, response.headers?.['Retry-After']]).toEqual([status, retryAfter]);
    expect(response.json()).toMatchObject({
      type: expect.stringMatching(`#problem-${type}$`),
      detail: expect.stringContaining(detail),
    });
  });

  test('returns 503 with Retry-After if the transaction conflicts with others until the deadline', async () => {
    isDog();
    dynamodb.on(TransactWriteCommand).rejects(
      new TransactionCanceledException({
        $metadata: {},
        message: '',
        CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
      }),
    );
    const response = await invoke(postBarks, 'PostBarks', { remaining: 2_200 });
    expect(response).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
    const tokens = dynamodb
      .commandCalls(TransactWriteCommand)
      .map(({ args }) => args[0].input.ClientRequestToken);
    expect(tokens.length).toBeGreaterThan(1);
    expect(new Set(tokens).size).toBe(1);
  });

  test('returns 503 before the timeout, even if an AWS call never ends', async () => {
    dynamodb.on(GetCommand).callsFake(() => sleep(60_000, undefined, { ref: false }));
    const response = await invoke(postBarks, 'PostBarks', { remaining: 2_050 });
    expect(response.statusCode).toBe(503);
  });

  test('reads the Content-Type header whatever the case of its name', async () => {
    isDog();
    dynamodb.on(TransactWriteCommand).resolves({});
    const response = await invoke(postBarks, 'PostBarks', {
      headers: { 'CONTENT-TYPE': 'application/json' },
    });
    expect(response.statusCode).toBe(201);
  });

  test('reads a body that API Gateway has encoded in Base64', async () => {
    isDog();
    const body = Buffer.from('{"message":5}').toString('base64');
    const response = await invoke(postBarks, 'PostBarks', { body, isBase64Encoded: true });
    expect(response.json()).toMatchObject({ errors: [{ pointer: '/message', detail: 'must be a string' }] });
  });
});

describe('An asynchronous bark', () => {
  const sfn = mockClient(SFNClient);
  const started = new Date('2026-11-21T12:00:00Z');
  const asyncItem = {
    dog: 'record-sync',
    sk: sortKey('asyncBark', incarnation),
    incarnation,
    status: 'pending',
    effects: ['record'],
    deadline: 4e9,
  };

  beforeEach(() => {
    Object.assign(process.env, {
      BARK_WORKFLOW_ARN: 'arn:aws:states:us-east-1:123456789012:stateMachine:barks',
      CANCELLATION_WINDOW_SECONDS: '5',
    });
    sfn.reset();
    sfn.on(StartExecutionCommand).resolves({ startDate: started });
    dynamodb.on(TransactWriteCommand).resolves({});
  });

  test('has its ID as the name of the execution, whose input contains no personal data', async () => {
    isDog({ settings: { barkEffects: ['emailDog'], barkHandling: 'async', email: 'dog@example.com' } });
    const response = await invoke(postBarks, 'PostBarks');
    const [start] = sfn.commandCalls(StartExecutionCommand);
    const bark = String(response.headers?.Location).split('/').at(-1);
    expect(start?.args[0].input).toMatchObject({
      name: bark,
      input: JSON.stringify({ dog: 'record-sync', bark }),
    });
  });

  test('returns 503 and is not written if the execution cannot be started', async () => {
    isDog({ settings: { barkEffects: ['record'], barkHandling: 'async' } });
    sfn.on(StartExecutionCommand).rejects(Object.assign(new Error(), { name: 'ThrottlingException' }));
    expect(await invoke(postBarks, 'PostBarks')).toMatchObject({
      statusCode: 503,
      headers: { 'Retry-After': '1' },
    });
    expect(dynamodb.commandCalls(TransactWriteCommand)).toHaveLength(0);
  });

  test.each([
    ['inProgress', { status: 'inProgress' }, 200, { status: 'pending', timestamp: null }],
    ['overdue', { deadline: 1 }, 200, { status: 'failed', reason: 'The bark was not performed in time.' }],
    ['failed', { status: 'failed', reason: 'Why.' }, 200, { status: 'failed', reason: 'Why.' }],
    ['expired', { expires: 1 }, 404, { status: 404 }],
  ])('is returned by GET if it is %s', async (_, changes, status, body) => {
    isDogWith({ ...asyncItem, ...changes });
    const pathParameters = { dog_id: 'record-sync', bark_id: `a${incarnation}` };
    const response = await invoke(getBark, 'GetBark', { pathParameters });
    expect(response.statusCode).toBe(status);
    expect(v.is(BarkResource, response.json())).toBe(status !== 404);
    expect(response.json()).toMatchObject(body);
  });

  test('is cancelled by DELETE, which returns 204 and makes no call to Step Functions', async () => {
    isDogWith(asyncItem);
    expect(await invoke(deleteBark, 'DeleteBark')).toMatchObject({ statusCode: 204, body: '' });
    expect(sfn.calls()).toEqual([]);
  });

  test('makes DELETE return 409 after it has begun', async () => {
    isDogWith(asyncItem);
    dynamodb.on(TransactWriteCommand).rejects(
      new TransactionCanceledException({
        $metadata: {},
        message: '',
        CancellationReasons: [
          { Code: 'ConditionalCheckFailed', Item: { status: { S: 'inProgress' } } },
          { Code: 'None' },
        ],
      }),
    );
    expect((await invoke(deleteBark, 'DeleteBark')).json()).toMatchObject({ status: 409 });
  });
});

describe('GET of a list', () => {
  test('of dogs returns a link to the next page', async () => {
    dynamodb.on(ScanCommand).resolves({ Items: [dog], LastEvaluatedKey: { id: 'record-sync' } });
    const response = await invoke(listDogs, 'ListDogs');
    expect(response.headers?.Link).toBe(`<${base}/v1/dogs/?limit=2&after=record-sync>; rel="next"`);
    expect(v.is(DogListDocument, response.json())).toBe(true);
    expect(response.json()).toEqual({
      dogs: [{ id: 'record-sync', barkCount: 3, barkEffects: ['record'], barkHandling: 'sync' }],
    });
  });

  test('of barks returns the barks that are resources, and a link to the next page', async () => {
    isDog();
    dynamodb.on(QueryCommand).resolves({
      Items: [item, { ...item, resource: undefined }],
      LastEvaluatedKey: { dog: 'record-sync', sk: sortKey('historyEntry', incarnation) },
    });
    const response = await invoke(listBarks, 'ListBarks');
    expect(v.is(BarkListDocument, response.json())).toBe(true);
    expect(response.json()).toEqual({
      barks: [
        {
          id: `s${incarnation}`,
          dog: `${base}/v1/dogs/record-sync/`,
          timestamp: 1795262400,
          status: 'complete',
        },
      ],
    });
    expect(response.headers?.Link).toBe(
      `<${base}/v1/dogs/record-sync/barks?limit=20&after=${incarnation}.Pjpa8iKAvo2s4YkL>; rel="next"`,
    );
  });
});

test('GET /v1/dogs/{dog_id}/barks/{bark_id} returns 404 for a bark that is not a resource', async () => {
  isDogWith({ ...item, resource: undefined });
  expect((await invoke(getBark, 'GetBark')).statusCode).toBe(404);
});

describe('A response', () => {
  const { requestContext } = sampleEvent('Fallback');

  test.each(['', 'rex', '"}', '🐕', '\r\nX-Injected: yes', 'c159c6be-ea56-4ee2-b8f1-ee0c8ba40e4d'])(
    'contains the extended request ID, but not the request ID %j that the client chose',
    async (requestId) => {
      const { extendedRequestId } = requestContext;
      const response = await invoke(fallback, 'Fallback', {
        requestContext: { ...requestContext, requestId },
      });
      expect(response.headers).toMatchObject({ 'X-Request-Id': extendedRequestId });
      expect(response.json()).toMatchObject({ instance: `#${extendedRequestId}` });
    },
  );

  test.each([undefined, null])(
    'contains the request ID of Lambda if the extended request ID is %p',
    async (none) => {
      const changed = { ...requestContext, extendedRequestId: none };
      const response = await invoke(fallback, 'Fallback', {
        requestContext: changed as unknown as typeof requestContext,
      });
      expect(response.headers).toMatchObject({ 'X-Request-Id': lambdaRequestId });
      expect(response.json()).toMatchObject({ instance: `#${lambdaRequestId}` });
    },
  );

  test.each([
    ['http', 'http:'],
    ['https', 'https:'],
    ['gopher', 'https:'],
    ['https, http', 'https:'],
    ['\r\nX-Injected: yes', 'https:'],
  ])('has URLs with a valid scheme for the header X-Forwarded-Proto: %j: %s', async (scheme, protocol) => {
    isDogWith(item);
    const response = await invoke(getBark, 'GetBark', { headers: { 'X-Forwarded-Proto': scheme } });
    expect(new URL((response.json() as { dog: string }).dog).protocol).toBe(protocol);
  });
});

describe('An unexpected error', () => {
  test('returns 500 without a description, and is logged', async () => {
    dynamodb.on(ScanCommand).rejects(new Error('secret detail'));
    const response = await invoke(listDogs, 'ListDogs');
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain('secret');
    expect(loggedFailure().error).toMatchObject({ errorMessage: 'secret detail' });
  });

  test('is logged with its stack under the X-Request-Id of the response', async () => {
    dynamodb.on(ScanCommand).rejects(new RangeError('secret detail'));
    const response = await invoke(listDogs, 'ListDogs');
    expect(loggedFailure()).toEqual({
      event: 'RequestFailed',
      request: response.headers?.['X-Request-Id'],
      method: 'GET',
      route: '/v1/dogs',
      error: {
        errorType: 'RangeError',
        errorMessage: 'secret detail',
        stackTrace: expect.arrayContaining([
          'RangeError: secret detail',
          expect.stringContaining(import.meta.filename),
        ]),
      },
    });
    expect(response.json()).toMatchObject({ instance: `#${loggedFailure().request}` });
  });

  test('of DynamoDB returns 503 with Retry-After', async () => {
    dynamodb
      .on(ScanCommand)
      .rejects(new InternalServerError({ $metadata: { httpStatusCode: 500 }, message: '' }));
    expect(await invoke(listDogs, 'ListDogs')).toMatchObject({
      statusCode: 503,
      headers: { 'Retry-After': '1' },
    });
  });

  test('for a missing environment variable returns 500, and the log names the variable', async () => {
    delete process.env.DOGS_TABLE;
    expect((await invoke(listDogs, 'ListDogs')).statusCode).toBe(500);
    expect(loggedFailure().error).toMatchObject({
      errorMessage: 'The environment variable DOGS_TABLE is not set.',
    });
  });
});
