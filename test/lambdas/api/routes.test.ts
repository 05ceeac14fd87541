import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  InternalServerError,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { MessageRejected, SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { SFNClient, StartExecutionCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import {
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
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
import { sortKey } from '../../../lambdas/domain/barks/keys.ts';
import {
  BarkListDocument,
  BarkResource,
  DogDocument,
  DogListDocument,
} from '../../../lambdas/http/schemas.ts';
import { sampleEvent } from '../../../tools/invocation.ts';
import { invoke, lambdaRequestId } from '../../support/invoke.ts';

const dynamodb = mockClient(DynamoDBDocumentClient);
const ses = mockClient(SESClient);

const base = 'https://abc123defg.execute-api.us-east-1.amazonaws.com/prod';
const incarnation = '01KAK0XW00ABCDEFGHJKMNPQRS';
const dog = {
  id: 'record-sync',
  incarnation,
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

/** The query for history entries, as opposed to the query for pending barks. */
const notes = { ScanIndexForward: false };

const logged = jest.spyOn(console, 'error');
/** What was logged of the one request that failed. */
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

describe('To pages of another origin', () => {
  afterEach(() => delete process.env.CORS_ORIGIN);

  test.each([
    ['an answer', { Item: dog }, 200],
    ['a failure', {}, 404],
  ])('%s is open if the settings name the origin, and else not', async (_, found, statusCode) => {
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

describe('GET dog', () => {
  test('shows the dog with its validators, in one round trip', async () => {
    isDog();
    dynamodb
      .on(QueryCommand)
      .resolves({})
      .on(QueryCommand, notes)
      .resolves({
        Items: [
          { ...item, timestamp: 20 },
          { ...item, timestamp: 10 },
        ],
      });
    const answer = await invoke(getDog, 'GetDog');
    expect(answer).toMatchObject({
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
    expect(v.is(DogDocument, answer.json())).toBe(true);
    expect(answer.json()).toEqual({
      id: 'record-sync',
      barkCount: 3,
      barkEffects: ['record'],
      barkHandling: 'sync',
      barking: false,
      barks: { previous: [10, 20] },
    });
  });

  test('has no body for HEAD, and the same headers', async () => {
    isDog();
    dynamodb.on(QueryCommand).resolves({}).on(QueryCommand, notes).resolves({ Items: [] });
    const get = await invoke(getDog, 'GetDog');
    const head = await invoke(getDog, 'GetDog', { httpMethod: 'HEAD' });
    expect(head).toMatchObject({ statusCode: 200, body: '', headers: get.headers });
  });

  test('gives another tag to a representation that differs beside the dog, and the same to the same', async () => {
    isDog();
    dynamodb
      .on(QueryCommand)
      .resolvesOnce({ Items: [] })
      .resolves({ Items: [item] });
    const [torn, whole, again] = [
      await invoke(getDog, 'GetDog'),
      await invoke(getDog, 'GetDog'),
      await invoke(getDog, 'GetDog'),
    ].map(({ headers }) => headers?.ETag);
    expect(torn).not.toBe(whole);
    expect(again).toBe(whole);
  });

  test('returns 304 without a body to a client that has the representation', async () => {
    isDog();
    dynamodb.on(QueryCommand).resolves({}).on(QueryCommand, notes).resolves({ Items: [] });
    const { headers } = await invoke(getDog, 'GetDog');
    const tag = String(headers?.ETag);
    const answer = await invoke(getDog, 'GetDog', { headers: { 'if-none-match': `"other", W/${tag}` } });
    expect(answer).toMatchObject({ statusCode: 304, body: '', headers: { ETag: tag } });
    expect(answer.headers).not.toHaveProperty('Content-Type');
  });

  test('leaves out the barks of a former dog of the same id', async () => {
    isDog();
    dynamodb
      .on(QueryCommand)
      .resolves({})
      .on(QueryCommand, notes)
      .resolves({ Items: [{ ...item, incarnation: '01KAK0XW00ZZZZZZZZZZZZZZZZ' }] });
    expect((await invoke(getDog, 'GetDog')).json()).not.toHaveProperty('barks');
  });

  test('returns barking as true while an asynchronous bark is pending', async () => {
    isDog();
    dynamodb
      .on(QueryCommand)
      .resolves({ Items: [{ incarnation }] })
      .on(QueryCommand, notes)
      .resolves({});
    expect((await invoke(getDog, 'GetDog')).json()).toMatchObject({ barking: true });
  });

  test('does not ask the database for an id that no dog can have', async () => {
    dynamodb.on(QueryCommand).resolves({}).on(QueryCommand, notes).resolves({});
    const answer = await invoke(getDog, 'GetDog', { pathParameters: { dog_id: 'a b' } });
    expect(answer.statusCode).toBe(404);
    expect(dynamodb.commandCalls(GetCommand)).toHaveLength(0);
  });
});

describe('PUT dog', () => {
  test('writes once, and returns 201 with the dog if it is new', async () => {
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
    const answer = await invoke(putDog, 'PutDog', {
      body: '{"email":"dog@example.com","barkEffects":["emailDog"]}',
    });
    expect(answer).toMatchObject({ statusCode: 201, headers: { Location: `${base}/v1/dogs/rex/` } });
    expect(answer.headers).toHaveProperty('ETag');
    expect(answer.json()).toMatchObject({
      id: 'rex',
      email: 'dog@example.com',
      barkHandling: 'sync',
    });
    expect(dynamodb.calls()).toHaveLength(1);
    const requestContext = { ...sampleEvent('PutDog').requestContext, domainName: undefined };
    const withoutDomain = await invoke(putDog, 'PutDog', { requestContext });
    expect(withoutDomain).toMatchObject({ statusCode: 201, headers: { Location: '/prod/v1/dogs/rex/' } });
  });

  test('returns 204 without a body if it replaces a dog', async () => {
    dynamodb.on(UpdateCommand).resolves({ Attributes: dog });
    expect(await invoke(putDog, 'PutDog')).toMatchObject({ statusCode: 204, body: '' });
  });

  test('takes over the time of a writer whose clock is ahead, so that Last-Modified never goes back', async () => {
    const ahead = Math.floor(Date.now() / 1000) + 1;
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
    const [, second] = dynamodb.commandCalls(UpdateCommand);
    expect(second?.args[0].input.ExpressionAttributeValues).toMatchObject({ ':lastModified': ahead });
  });

  test.each([
    ['If-Match', `"${incarnation}.7.abcdefghijkl"`],
    ['If-Match', '*'],
    ['If-Match', '"something-else"'],
    ['If-None-Match', '*'],
  ])('returns 412 if the dog is not as %s: %s demands', async (field, value) => {
    const failure = new ConditionalCheckFailedException({
      $metadata: {},
      message: '',
      Item: { lastModified: { N: '1' } },
    });
    dynamodb.on(UpdateCommand).rejects(failure);
    expect((await invoke(putDog, 'PutDog', { headers: { [field]: value } })).statusCode).toBe(412);
  });

  test('refuses a precondition that is no list of tags, and writes nothing', async () => {
    expect((await invoke(putDog, 'PutDog', { headers: { 'If-Match': 'abc' } })).statusCode).toBe(400);
    expect(dynamodb.calls()).toHaveLength(0);
  });
});

describe('DELETE dog', () => {
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

describe('POST barks', () => {
  const cases = [
    [['emailDog'], 200, undefined],
    [['count'], 303, `${base}/v1/dogs/record-sync/`],
    [['emailDog', 'count'], 303, `${base}/v1/dogs/record-sync/`],
    [['record'], 201, expect.stringMatching(`^${base}/v1/dogs/record-sync/barks/s[0-9A-Z]{26}$`)],
  ] as const;

  test.each(cases)('of a dog with the effects %j is %i', async (barkEffects, status, location) => {
    isDog({ settings: { barkEffects, barkHandling: 'sync', email: 'dog@example.com' } });
    dynamodb.on(TransactWriteCommand).resolves({});
    ses.on(SendEmailCommand).resolves({});
    const answer = await invoke(postBarks, 'PostBarks');
    expect(answer.statusCode).toBe(status);
    expect(answer.headers?.Location).toEqual(location);
    expect(answer.body === '').toBe(status !== 201);
  });

  test('sends mail through the configuration set, which hears of it when it comes back', async () => {
    isDog({ settings: { barkEffects: ['emailDog'], barkHandling: 'sync', email: 'dog@example.com' } });
    ses.on(SendEmailCommand).resolves({});
    await invoke(postBarks, 'PostBarks');
    const [call] = ses.commandCalls(SendEmailCommand);
    expect(call?.args[0].input).toMatchObject({ Source: 'dogs@example.com', ConfigurationSetName: 'mail' });
  });

  test('returns 502 if SES refuses the mail, and logs it', async () => {
    isDog({
      settings: { barkEffects: ['emailDog', 'record'], barkHandling: 'sync', email: 'dog@example.com' },
    });
    ses
      .on(SendEmailCommand)
      .rejects(
        new MessageRejected({ $metadata: { httpStatusCode: 400 }, message: 'Not verified: dog@example.com' }),
      );
    const answer = await invoke(postBarks, 'PostBarks');
    expect(answer.json()).toMatchObject({ status: 502, detail: 'The mail service refused the mail.' });
    expect(dynamodb.commandCalls(TransactWriteCommand)).toHaveLength(0);
    expect(loggedFailure().error).toMatchObject({
      errorType: 'MailRefused',
      cause: { errorType: 'MessageRejected', errorMessage: 'Not verified: (an address)' },
    });
    expect(JSON.stringify(logged.mock.calls)).not.toContain('dog@example.com');
  });

  test.each([
    [
      'throttles',
      { name: 'Throttling', $fault: 'client', $metadata: { httpStatusCode: 400 } },
      'No mail was sent.',
    ],
    ['cannot be reached', { code: 'ECONNREFUSED' }, 'No mail was sent.'],
    ['loses the connection', { code: 'ECONNRESET' }, 'The mail may have been sent.'],
    ['fails', { $fault: 'server', $metadata: { httpStatusCode: 500 } }, 'The mail may have been sent.'],
  ])('returns 503 with Retry-After if SES %s', async (_, error, detail) => {
    isDog({ settings: { barkEffects: ['emailDog'], barkHandling: 'sync', email: 'dog@example.com' } });
    ses.on(SendEmailCommand).rejects(Object.assign(new Error('ses'), error));
    const answer = await invoke(postBarks, 'PostBarks');
    expect(answer).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
    expect(answer.json()).toMatchObject({ detail: expect.stringContaining(detail) });
  });

  test('returns 503 with Retry-After if the item is contended until the deadline', async () => {
    isDog();
    dynamodb.on(TransactWriteCommand).rejects(
      new TransactionCanceledException({
        $metadata: {},
        message: '',
        CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
      }),
    );
    const answer = await invoke(postBarks, 'PostBarks', { remaining: 2_200 });
    expect(answer).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
    const tokens = dynamodb
      .commandCalls(TransactWriteCommand)
      .map(({ args }) => args[0].input.ClientRequestToken);
    expect(tokens.length).toBeGreaterThan(1);
    expect(new Set(tokens).size).toBe(1);
  });

  test('returns 503 before the timeout, even if an AWS call never ends', async () => {
    dynamodb.on(GetCommand).callsFake(() => sleep(60_000, undefined, { ref: false }));
    const answer = await invoke(postBarks, 'PostBarks', { remaining: 2_050 });
    expect(answer.statusCode).toBe(503);
  });

  test('knows the content type in whatever case its name comes', async () => {
    isDog();
    dynamodb.on(TransactWriteCommand).resolves({});
    const answer = await invoke(postBarks, 'PostBarks', { headers: { 'CONTENT-TYPE': 'application/json' } });
    expect(answer.statusCode).toBe(201);
  });

  test('reads a body that API Gateway encoded', async () => {
    isDog();
    const body = Buffer.from('{"message":5}').toString('base64');
    const answer = await invoke(postBarks, 'PostBarks', { body, isBase64Encoded: true });
    expect(answer.json()).toMatchObject({ errors: [{ pointer: '/message', detail: 'must be a string' }] });
  });
});

describe('An asynchronous bark', () => {
  const sfn = mockClient(SFNClient);
  const started = new Date('2026-11-21T12:00:00Z');
  const barkUrl = expect.stringMatching(`^${base}/v1/dogs/record-sync/barks/a[0-9A-Z]{26}$`);
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
    sfn.on(StartExecutionCommand).resolves({ startDate: started }).on(StopExecutionCommand).resolves({});
    dynamodb.on(TransactWriteCommand).resolves({});
  });

  test.each([
    ['', 'text/html; charset=utf-8'],
    ['*/*', 'text/html; charset=utf-8'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['application/json', 'application/json'],
    ['text/html;q=0.5, application/json', 'application/json'],
    ['image/png', 'text/html; charset=utf-8'],
  ])('is accepted with a body that fits Accept: %s', async (Accept, type) => {
    isDog({ settings: { barkEffects: ['record'], barkHandling: 'async' } });
    const answer = await invoke(postBarks, 'PostBarks', { headers: { Accept } });
    expect(answer).toMatchObject({
      statusCode: 202,
      headers: { Location: barkUrl, 'Retry-After': '1', 'Content-Type': type, Vary: 'Accept, Prefer' },
    });
    expect(answer.body).toContain(answer.headers?.Location);
    expect(answer.headers).not.toHaveProperty('Preference-Applied');
  });

  test.each([
    ['respond-async', true],
    ['wait=5, RESPOND-ASYNC; x=1', true],
    ['return=minimal', false],
    ['respond-asynchronously', false],
  ])('is what Prefer: %s asks for: %p', async (Prefer, later) => {
    isDog();
    const answer = await invoke(postBarks, 'PostBarks', { headers: { Prefer } });
    expect(answer.statusCode).toBe(later ? 202 : 201);
    expect(answer.headers?.['Preference-Applied']).toBe(later ? 'respond-async' : undefined);
  });

  test('has its id as the name of the execution, which learns nothing of a person', async () => {
    isDog({ settings: { barkEffects: ['emailDog'], barkHandling: 'async', email: 'dog@example.com' } });
    const answer = await invoke(postBarks, 'PostBarks');
    const [start] = sfn.commandCalls(StartExecutionCommand);
    const bark = String(answer.headers?.Location).split('/').at(-1);
    expect(start?.args[0].input).toMatchObject({
      name: bark,
      input: JSON.stringify({ dog: 'record-sync', bark }),
    });
  });

  test('that cannot be started is 503, and is not written', async () => {
    isDog({ settings: { barkEffects: ['record'], barkHandling: 'async' } });
    sfn.on(StartExecutionCommand).rejects(Object.assign(new Error(), { name: 'ThrottlingException' }));
    expect(await invoke(postBarks, 'PostBarks')).toMatchObject({
      statusCode: 503,
      headers: { 'Retry-After': '1' },
    });
    expect(dynamodb.commandCalls(TransactWriteCommand)).toHaveLength(0);
  });

  test.each([
    ['pending', {}, 200, { status: 'pending', timestamp: null }],
    ['inProgress', { status: 'inProgress' }, 200, { status: 'pending', timestamp: null }],
    ['overdue', { deadline: 1 }, 200, { status: 'failed', reason: 'It did not take effect in time.' }],
    ['failed', { status: 'failed', reason: 'Why.' }, 200, { status: 'failed', reason: 'Why.' }],
    ['cancelled', { status: 'cancelled' }, 200, { status: 'cancelled' }],
    ['complete', { status: 'complete', timestamp: 9 }, 303, { status: 'complete', timestamp: 9 }],
    [
      'complete without a count',
      { status: 'complete', timestamp: 9, effects: ['emailDog'] },
      200,
      { status: 'complete' },
    ],
    ['expired', { expires: 1 }, 404, { status: 404 }],
  ])('that is %s', async (_, changes, status, body) => {
    isDog();
    dynamodb.on(GetCommand, { TableName: 'barks' }).resolves({ Item: { ...asyncItem, ...changes } });
    const pathParameters = { dog_id: 'record-sync', bark_id: `a${incarnation}` };
    const answer = await invoke(getBark, 'GetBark', { pathParameters });
    expect(answer.statusCode).toBe(status);
    expect(v.is(BarkResource, answer.json())).toBe(status !== 404);
    expect(answer.json()).toMatchObject(body);
    expect(answer.headers?.Location).toBe(status === 303 ? `${base}/v1/dogs/record-sync/` : undefined);
  });

  test('is cancelled with 204, by one transaction, and its execution stopped', async () => {
    isDog();
    dynamodb.on(GetCommand, { TableName: 'barks' }).resolves({ Item: asyncItem });
    expect(await invoke(deleteBark, 'DeleteBark')).toMatchObject({ statusCode: 204, body: '' });
    expect(sfn.commandCalls(StopExecutionCommand)[0]?.args[0].input).toEqual({
      executionArn: `arn:aws:states:us-east-1:123456789012:execution:barks:a${incarnation}`,
    });
  });

  test('cannot be cancelled once it has begun: 409', async () => {
    isDog();
    dynamodb.on(GetCommand, { TableName: 'barks' }).resolves({ Item: asyncItem });
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
    expect(sfn.commandCalls(StopExecutionCommand)).toHaveLength(0);
  });
});

describe('The lists', () => {
  test('of dogs leads to the next page', async () => {
    dynamodb.on(ScanCommand).resolves({ Items: [dog], LastEvaluatedKey: { id: 'record-sync' } });
    const answer = await invoke(listDogs, 'ListDogs');
    expect(answer.headers?.Link).toBe(`<${base}/v1/dogs/?limit=2&after=record-sync>; rel="next"`);
    expect(v.is(DogListDocument, answer.json())).toBe(true);
    expect(answer.json()).toEqual({
      dogs: [{ id: 'record-sync', barkCount: 3, barkEffects: ['record'], barkHandling: 'sync' }],
    });
  });

  test('of barks shows those that are resources, and leads to the next page', async () => {
    isDog();
    dynamodb
      .on(QueryCommand)
      .resolves({})
      .on(QueryCommand, notes)
      .resolves({
        Items: [item, { ...item, resource: undefined }],
        LastEvaluatedKey: { dog: 'record-sync', sk: sortKey('historyEntry', incarnation) },
      });
    const answer = await invoke(listBarks, 'ListBarks');
    expect(v.is(BarkListDocument, answer.json())).toBe(true);
    expect(answer.json()).toEqual({
      barks: [
        {
          id: `s${incarnation}`,
          dog: `${base}/v1/dogs/record-sync/`,
          timestamp: 1795262400,
          status: 'complete',
        },
      ],
    });
    expect(answer.headers?.Link).toBe(
      `<${base}/v1/dogs/record-sync/barks?limit=20&after=${incarnation}.Pjpa8iKAvo2s4YkL>; rel="next"`,
    );
  });

  test.each([
    ['limit', '0'],
    ['limit', '-1'],
    ['limit', 'many'],
    ['limit', '1.5'],
    ['after', sortKey('historyEntry', 1)],
    ['after', ''],
  ])('refuse the parameter %s=%s', async (name, value) => {
    const answer = await invoke(listBarks, 'ListBarks', { queryStringParameters: { [name]: value } });
    expect(answer.statusCode).toBe(400);
    expect(dynamodb.calls()).toHaveLength(0);
  });
});

describe('GET bark', () => {
  test.each([
    ['is a resource', item, 200],
    ['is not a resource', { ...item, resource: undefined }, 404],
    ['belongs to a former dog of the same id', { ...item, incarnation: '01KAK0XW00ZZZZZZZZZZZZZZZZ' }, 404],
    ['is not there', undefined, 404],
  ])('of one that %s', async (_, Item, status) => {
    isDog();
    dynamodb.on(GetCommand, { TableName: 'barks' }).resolves(Item ? { Item } : {});
    expect((await invoke(getBark, 'GetBark')).statusCode).toBe(status);
  });
});

describe('What a client chooses for API Gateway', () => {
  const { requestContext } = sampleEvent('Fallback');

  test.each(['', 'rex', '"}', '🐕', '\r\nX-Injected: yes', 'c159c6be-ea56-4ee2-b8f1-ee0c8ba40e4d'])(
    'the request id %j does not appear in the response, which has the extended request id',
    async (requestId) => {
      const { extendedRequestId } = requestContext;
      const answer = await invoke(fallback, 'Fallback', {
        requestContext: { ...requestContext, requestId },
      });
      expect(answer.headers).toMatchObject({ 'X-Request-Id': extendedRequestId });
      expect(answer.json()).toMatchObject({ instance: `#${extendedRequestId}` });
    },
  );

  test.each([undefined, null])(
    'no id without an extended request id (%p): the response has the id of Lambda',
    async (none) => {
      const changed = { ...requestContext, extendedRequestId: none };
      const answer = await invoke(fallback, 'Fallback', {
        requestContext: changed as unknown as typeof requestContext,
      });
      expect(answer.headers).toMatchObject({ 'X-Request-Id': lambdaRequestId });
      expect(answer.json()).toMatchObject({ instance: `#${lambdaRequestId}` });
    },
  );

  test.each([
    ['http', 'http:'],
    ['https', 'https:'],
    ['gopher', 'https:'],
    ['https, http', 'https:'],
    ['\r\nX-Injected: yes', 'https:'],
  ])('the scheme %j is %s in URLs', async (scheme, protocol) => {
    isDog();
    dynamodb.on(GetCommand, { TableName: 'barks' }).resolves({ Item: item });
    const answer = await invoke(getBark, 'GetBark', { headers: { 'X-Forwarded-Proto': scheme } });
    expect(new URL((answer.json() as { dog: string }).dog).protocol).toBe(protocol);
  });
});

describe('A request that no route accepts', () => {
  test('is 404 if there is no such path', async () => {
    const answer = await invoke(fallback, 'Fallback');
    expect(answer.json()).toMatchObject({
      status: 404,
      detail: 'There is nothing at /v1/dogs/record-sync/bark-now.',
    });
  });

  test.each([
    ['/v1/dogs', 'GET, HEAD'],
    ['/v1/dogs/', 'GET, HEAD'],
    ['/v1/dogs/1', 'DELETE, GET, HEAD, PATCH, PUT'],
    ['/v1/dogs/1/', 'DELETE, GET, HEAD, PATCH, PUT'],
    ['/v1/dogs/1/barks', 'GET, HEAD, POST'],
    ['/v1/dogs/1/barks/2', 'DELETE, GET, HEAD'],
    ['/v1/dogs/1/bark-schedule', 'DELETE, GET, HEAD, POST'],
    ['/v1/dogs/1/bark', 'DELETE, GET, HEAD, POST'],
  ])('is 405 with Allow at %s', async (path, Allow) => {
    const answer = await invoke(fallback, 'Fallback', { path, httpMethod: 'OPTIONS' });
    expect(answer).toMatchObject({ statusCode: 405, headers: { Allow } });
  });
});

describe('An unexpected error', () => {
  test('is 500, is logged, and is not described to the client', async () => {
    dynamodb.on(ScanCommand).rejects(new Error('secret detail'));
    const answer = await invoke(listDogs, 'ListDogs');
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('secret');
    expect(loggedFailure().error).toMatchObject({ errorMessage: 'secret detail' });
  });

  test('is logged with its stack under the X-Request-Id of the response', async () => {
    dynamodb.on(ScanCommand).rejects(new RangeError('secret detail'));
    const answer = await invoke(listDogs, 'ListDogs');
    expect(loggedFailure()).toEqual({
      event: 'RequestFailed',
      request: answer.headers?.['X-Request-Id'],
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
    expect(answer.json()).toMatchObject({ instance: `#${loggedFailure().request}` });
  });

  test('of the database is 503 with Retry-After', async () => {
    dynamodb
      .on(ScanCommand)
      .rejects(new InternalServerError({ $metadata: { httpStatusCode: 500 }, message: '' }));
    expect(await invoke(listDogs, 'ListDogs')).toMatchObject({
      statusCode: 503,
      headers: { 'Retry-After': '1' },
    });
  });

  test('in the environment is 500, and names the variable in the log', async () => {
    delete process.env.DOGS_TABLE;
    expect((await invoke(listDogs, 'ListDogs')).statusCode).toBe(500);
    expect(loggedFailure().error).toMatchObject({
      errorMessage: 'The environment variable DOGS_TABLE is not set.',
    });
  });
});
