import { MessageRejected, SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { handler as getBark } from '../../../lambdas/api/dogs/barks/get.ts';
import { handler as postBarks } from '../../../lambdas/api/dogs/barks/post.ts';
import { handler as getDog } from '../../../lambdas/api/dogs/get.ts';
import { handler as listDogs } from '../../../lambdas/api/dogs/list.ts';
import { handler as fallback } from '../../../lambdas/api/fallback.ts';
import { sortKey } from '../../../lambdas/domain/barks/keys.ts';
import { sampleEvent } from '../../../tools/invocation.ts';
import { invoke, lambdaRequestId } from '../../support/invoke.ts';
import { mockClient } from '../../support/mock-client.ts';

const dynamodb = mockClient(DynamoDBDocumentClient);
const ses = mockClient(SESClient);

const incarnation = '01KAK0XW00ABCDEFGHJKMNPQRS';
const dog = {
  id: 'record-sync',
  incarnation,
  mailKey: 'a mail key',
  version: 7,
  lastModified: 1795262400,
  settingsVersion: 1,
  settingsModified: 1795262000,
  settings: { barkEffects: ['emailDog', 'record'], barkHandling: 'sync', email: 'dog@example.com' },
  barkCount: 3,
};

const logged = jest.spyOn(console, 'error');
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
    BASE_URL: 'https://dogs.example',
    MAIL_CONFIGURATION_SET: 'mail',
  });
});

afterEach(() => delete process.env.CORS_ORIGIN);

test.each([
  ['success', { Item: dog }, 200],
  ['failure', {}, 404],
])('The CORS headers of a %s are present only with the setting corsOrigin', async (_, found, statusCode) => {
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

test('POST /v1/dogs/{dog_id}/barks returns 502 if SES refuses the mail, and logs it', async () => {
  dynamodb.on(GetCommand).resolves({ Item: dog });
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

test('GET /v1/dogs/{dog_id}/barks/{bark_id} returns 404 for a bark that is not a resource', async () => {
  const entry = { dog: dog.id, sk: sortKey('historyEntry', incarnation), incarnation, timestamp: 1795262400 };
  dynamodb.on(BatchGetCommand).resolves({ Responses: { dogs: [dog], barks: [entry] } });
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
});

describe('An unexpected error', () => {
  test('returns 500 without a description, and is logged with its stack under the X-Request-Id of the response', async () => {
    dynamodb.on(ScanCommand).rejects(new RangeError('secret detail'));
    const response = await invoke(listDogs, 'ListDogs');
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain('secret');
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

  test('for a missing environment variable returns 500, and the log names the variable', async () => {
    delete process.env.DOGS_TABLE;
    expect((await invoke(listDogs, 'ListDogs')).statusCode).toBe(500);
    expect(loggedFailure().error).toMatchObject({
      errorMessage: 'The environment variable DOGS_TABLE is not set.',
    });
  });
});
