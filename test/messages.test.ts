import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { RootConstruct } from 'constructs';
import type { GenericSchema } from 'valibot';
import { messageOf as messageOfFailure } from '../bin/cli/main.ts';
import { readOptions } from '../bin/start/options.ts';
import { handler as putDog } from '../lambdas/api/dogs/put.ts';
import { handler as fallback } from '../lambdas/api/fallback.ts';
import { gatewayResponses } from '../lambdas/contract/gateway-responses.ts';
import { BarkDocument } from '../lambdas/domain/barks/schema.ts';
import { DogPutDocument } from '../lambdas/domain/dogs/schema.ts';
import {
  AlreadyExists,
  DateInFuture,
  InvalidCursor,
  KeyReused,
  ModifiedSince,
  NotFound,
  RequestInProgress,
  StateMismatch,
  TokenReused,
} from '../lambdas/domain/platform/errors.ts';
import { applyPatch, planOf } from '../lambdas/domain/schedules/schedule.ts';
import { BarkScheduleDocument, DogPatchDocument } from '../lambdas/domain/schedules/schema.ts';
import { isNotModified, preconditionOf } from '../lambdas/http/conditional.ts';
import { idempotencyKey } from '../lambdas/http/idempotency-key.ts';
import { validate } from '../lambdas/http/json-body.ts';
import { tokenRequestOf } from '../lambdas/http/oauth.ts';
import { pageRequestOf } from '../lambdas/http/pagination.ts';
import { patchOf, unmodifiedSince, withForbiddenForInvalidPatch } from '../lambdas/http/patch.ts';
import { problemOf } from '../lambdas/http/problem.ts';
import { requestOf } from '../lambdas/http/request.ts';
import { readSettings } from '../lib/settings.ts';
import { sampleEvent } from '../tools/invocation.ts';
import { runInProcess, type TerminalOptions } from './support/command-line.ts';
import { invoke } from './support/invoke.ts';
import { mockClient } from './support/mock-client.ts';

/**
 * The messages for users of the project, in one place, so that their wording can be reviewed. A message states what is wrong, and
 * then what to do. Most tests provoke the errors by calling functions and commands. The last tests collect messages from the
 * source files.
 */

const now = Date.UTC(2026, 10, 21, 12);

/** Returns the message of the error that a function throws, or the detail of its problem. */
async function messageOf(cause: () => unknown): Promise<string> {
  try {
    await cause();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The function did not throw.');
}

function request(changes: {
  name?: string;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  body?: string;
  method?: string;
}) {
  const { name = 'PatchDog', headers = {}, query = {}, body = '', method } = changes;
  const event = {
    ...sampleEvent(name),
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([field, value]) => [field, [value]])),
    queryStringParameters: query,
    body,
    ...(method && { httpMethod: method }),
  };
  return requestOf(event, undefined, { now, signal: AbortSignal.timeout(10_000) });
}

const json = { 'Content-Type': 'application/json' };

async function detailOf(
  handler: unknown,
  name: string,
  changes: Parameters<typeof invoke>[2] = {},
): Promise<string> {
  return ((await invoke(handler, name, changes)).json() as { detail: string }).detail;
}

const put = (body: string | null, changes: Parameters<typeof invoke>[2] = {}) =>
  detailOf(putDog, 'PutDog', { headers: json, body, ...changes });

/** Checks the preconditions of a GET of a dog that changed at noon. */
const get = (headers: Record<string, string>) =>
  isNotModified(
    request({ name: 'GetDog', headers }),
    { ETag: '"current"', 'Last-Modified': 'Sat, 21 Nov 2026 12:00:00 GMT' },
    async () => true,
  );

describe('the detail of a problem with a request', () => {
  test.each<[string, () => Promise<string>]>([
    ['There is no resource at /v1/dogs/record-sync/bark-now.', () => detailOf(fallback, 'Fallback')],
    [
      '/v1/dogs does not support DELETE. Use GET or HEAD.',
      () => detailOf(fallback, 'Fallback', { path: '/v1/dogs', httpMethod: 'DELETE' }),
    ],
    [
      'The request has an X-HTTP-Method-Override header. Remove the header, and send the request with the intended method.',
      () => put('{}', { headers: { 'X-HTTP-Method-Override': 'GET' } }),
    ],
    ['The request body is empty. Send a JSON object.', () => put(null)],
    [
      'The request body is not valid JSON: unexpected "}" at line 3, column 5.',
      () => put('{\n  "owner": "mailto:ann@example.com",\n    }'),
    ],
    ['The request body is not valid JSON: unexpected end of input at line 1, column 2.', () => put('{')],
    [
      'The request body has a forbidden key: "__proto__", or a "constructor" that contains "prototype". Remove the key.',
      () => put('{"__proto__":{}}'),
    ],
    [
      'The request body must be JSON. Send it with Content-Type: application/json.',
      () => put('{}', { headers: { 'Content-Type': 'text/plain' } }),
    ],
    ['The request body is 70000 bytes long. The limit is 65536 bytes.', () => put(' '.repeat(70_000))],
    [
      'The request body is invalid: /name is not a known field; /email is required by the emailDog effect.',
      () => put('{"name":"Rex","barkEffects":["emailDog"]}').then(sorted),
    ],
    ['The request body is invalid: it must be a JSON object.', () => put('[]')],
    [
      'The request body is invalid: /id must be absent or "rex", the ID in the path.',
      () => put('{"id":"max"}', { pathParameters: { dog_id: 'rex' } }),
    ],
    [
      '"a b" is not a valid ID for a dog. An ID has 1 to 40 characters: letters, digits, - and _.',
      () => put('{}', { pathParameters: { dog_id: 'a b' } }),
    ],
    [
      'The query parameter "limit" must be a whole number from 1 to 100.',
      () => messageOf(() => pageRequestOf(request({ query: { limit: '5000' } }), /^x$/)),
    ],
    [
      'The Idempotency-Key header must be a single string of 1 to 255 characters in double quotes, such as "8e03978e-40d5-43e8-bc93-6894a57f9324".',
      () => messageOf(() => idempotencyKey(request({ headers: { 'Idempotency-Key': 'x' } }), 'barks')),
    ],
    [
      'The If-Match header must be * or a list of entity tags in double quotes. Send the ETag of your last GET.',
      () => messageOf(() => preconditionOf(request({ headers: { 'If-Match': 'x' } }))),
    ],
    [
      'The ETag of the dog does not match If-Match. GET the dog without If-Match.',
      () => messageOf(() => get({ 'If-Match': '"other"' })),
    ],
    [
      'The dog changed at Sat, 21 Nov 2026 12:00:00 GMT, after the date in If-Unmodified-Since. GET the dog without If-Unmodified-Since.',
      () => messageOf(() => get({ 'If-Unmodified-Since': 'Sat, 21 Nov 2026 11:00:00 GMT' })),
    ],
    [
      'The If-Unmodified-Since header is missing. Send the Date or the Last-Modified of your last GET, for example: Sat, 21 Nov 2026 12:00:00 GMT.',
      () => messageOf(() => unmodifiedSince(request({}))),
    ],
    [
      'The If-Unmodified-Since header "2026-11-21" is not an HTTP date. Send the Date or the Last-Modified of your last GET, for example: Sat, 21 Nov 2026 12:00:00 GMT.',
      () => messageOf(() => unmodifiedSince(request({ headers: { 'If-Unmodified-Since': '2026-11-21' } }))),
    ],
    [
      'The request body must be JSON. Send it with Content-Type: application/json or application/merge-patch+json.',
      async () => (patchOf(request({ body: '{}' })) as { error: Error }).error.message,
    ],
  ])('is "%s"', async (message, cause) => {
    expect(await cause()).toBe(message);
  });
});

/** Returns the detail with its fields in a fixed order. */
function sorted(detail: string): string {
  const [, intro = '', fields = ''] = /^(.*: )(.*)\.$/.exec(detail) ?? [];
  return `${intro}${fields.split('; ').sort().reverse().join('; ')}.`;
}

describe('the detail of a problem with the state of a dog', () => {
  test.each<[string, Error]>([
    ['There is no dog "rex".', new NotFound('dog', 'rex')],
    ['There is no bark "s01".', new NotFound('bark', 's01')],
    ['Dog "rex" has not barked yet.', new NotFound('bark of the dog', 'rex')],
    ['Dog "rex" has never had a bark schedule.', new NotFound('schedule of the dog', 'rex')],
    [
      'The query parameter "after" is not a cursor from this list. Use the URL in the Link header with rel="next".',
      new InvalidCursor(),
    ],
    [
      'A request with this Idempotency-Key is in progress. Wait for the number of seconds in Retry-After, then send the request again.',
      new RequestInProgress(7),
    ],
    [
      'This Idempotency-Key was already used for a different request. Send each new request with a new key.',
      new KeyReused(),
    ],
    [
      'Dog "rex" does not meet the precondition in If-Match, If-None-Match or If-Unmodified-Since. GET the dog again.',
      new StateMismatch('rex'),
    ],
    [
      'The request body is invalid: /token was already used with a different next or frequency; use a new token for a new schedule.',
      new TokenReused(),
    ],
    [
      'The service failed unexpectedly. Report the X-Request-Id of this response to the operator.',
      new RangeError('A defect'),
    ],
  ])('is "%s"', (message, error) => {
    expect(problemOf(error).message).toBe(message);
  });

  const since = 1_795_244_400;
  test.each<[string, Error]>([
    [
      'A client changed the dog at Sat, 21 Nov 2026 07:01:00 GMT. This is later than the If-Unmodified-Since date of this request (Sat, 21 Nov 2026 07:00:00 GMT). GET the dog again. If you still want the change, send the patch with the Last-Modified of that response.',
      new ModifiedSince({ since, settingsModified: since + 60 }),
    ],
    [
      "The If-Unmodified-Since date of this request (Sat, 21 Nov 2026 07:06:00 GMT) is more than five minutes ahead of the service's clock (Sat, 21 Nov 2026 07:00:00 GMT). Send the Date or the Last-Modified of your last GET.",
      new DateInFuture({ since: since + 360, now: since }),
    ],
  ])('is, in response to a PATCH, "%s"', async (message, error) => {
    const route = withForbiddenForInvalidPatch(() => Promise.reject(error));
    expect(await messageOf(() => route(request({})))).toBe(message);
  });
});

describe('the error of a field', () => {
  const effects = 'emailDog, emailOwner, count, record';
  const token = 'must be from -9007199254740991 to 9007199254740991';
  const frequency = 'must be a whole number of minutes from 1 to 525600, or 0 to bark once';
  const email = 'x'.repeat(321);
  const cases: [string, GenericSchema, unknown][] = [
    ['/name is not a known field', DogPutDocument, { name: 'Rex' }],
    ['/email must be a string', DogPutDocument, { email: 7 }],
    ['/email must be an email address', DogPutDocument, { email: 'rex' }],
    ['/email is required by the emailDog effect', DogPutDocument, { barkEffects: ['emailDog'] }],
    ['/owner must be a string', DogPutDocument, { owner: 7 }],
    [
      '/owner must be a URI reference, such as mailto:owner@example.com',
      DogPutDocument,
      { owner: 'the postman' },
    ],
    ['/owner must have at most 2048 characters', DogPutDocument, { owner: 'x'.repeat(2049) }],
    [
      '/owner must be a mailto: URI with exactly one address and no header fields, because the effect emailOwner requires one',
      DogPutDocument,
      { barkEffects: ['emailOwner'] },
    ],
    [`/barkEffects must be a list of effects: ${effects}`, DogPutDocument, { barkEffects: 'count' }],
    [`/barkEffects/0 must be one of ${effects}`, DogPutDocument, { barkEffects: ['bite'] }],
    ['/barkEffects must contain at least one effect', DogPutDocument, { barkEffects: [] }],
    ['/barkEffects must not contain duplicates', DogPutDocument, { barkEffects: ['count', 'count'] }],
    ['/barkHandling must be sync or async', DogPutDocument, { barkHandling: 'later' }],
    ['/message must be a string', BarkDocument, { message: 7 }],
    ['/message must have 1 to 1000 characters', BarkDocument, { message: '' }],
    ['/message must be Unicode text without unpaired surrogates', BarkDocument, { message: '\ud800' }],
    ['/token is required', BarkScheduleDocument, { next: 0 }],
    ['/token must be a number', BarkScheduleDocument, { token: '7', next: 0 }],
    [`/token ${token}`, BarkScheduleDocument, { token: 1e300, next: 0 }],
    ['/next is required', BarkScheduleDocument, { token: 7 }],
    [
      '/next must be a time in Unix seconds, or 0 to mean now',
      BarkScheduleDocument,
      { token: 7, next: 'now' },
    ],
    ['/next must be a whole number of seconds', BarkScheduleDocument, { token: 7, next: 0.5 }],
    ['/next must not be negative', BarkScheduleDocument, { token: 7, next: -1 }],
    [`/frequency ${frequency}`, BarkScheduleDocument, { token: 7, next: 0, frequency: 0.5 }],
    ['/barks must be a JSON object', DogPatchDocument, { barks: [] }],
    [
      '/barks/next must not be null; send {"barks": null} to end the schedule',
      DogPatchDocument,
      { barks: { next: null } },
    ],
    [
      '/email cannot be changed with PATCH; change it with PUT',
      DogPatchDocument,
      { email: 'rex@example.com' },
    ],
  ];
  test.each(cases)('is "%s"', async (message, schema, document) => {
    const detail = await messageOf(() => validate(schema, document));
    expect(detail).toBe(`The request body is invalid: ${message}.`);
  });

  test('states the limit if the value is too long', async () => {
    const detail = await messageOf(() => validate(DogPutDocument, { email }));
    expect(detail).toMatch(/\/email must have at most \d+ characters/);
  });

  const next = (time: number) => () => planOf({ next: time, frequency: null }, now);
  test.each<[string, () => unknown]>([
    [
      "must be at most 60 seconds in the past, but is Sat, 21 Nov 2026 11:58:00 GMT; the service's clock shows Sat, 21 Nov 2026 12:00:00 GMT; send 0 to mean now",
      next(now / 1000 - 120),
    ],
    ['must be at most ten years ahead; send seconds, not milliseconds', next(now)],
    ['must be at most ten years ahead', next(now / 1000 + 20 * 365 * 86_400)],
    ['is required, because no bark is scheduled', () => applyPatch({}, { frequency: 10 }, now)],
  ])('that depends on the time is "%s"', async (message, cause) => {
    expect(await messageOf(cause)).toBe(message);
  });
});

describe('the error description of the token endpoint', () => {
  const parameters = {
    grant_type: 'refresh_token',
    client_id: 'walker',
    client_secret: 's',
    refresh_token: 'r',
  };
  const ask = (body: unknown, headers: Record<string, string> = {}, method = 'POST') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const changes = { name: 'IssueToken', headers: { ...json, ...headers }, body: text, method };
    return () => tokenRequestOf(request(changes));
  };
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });

  test.each<[string, () => unknown]>([
    ['The token endpoint supports only POST.', ask('', {}, 'GET')],
    [
      'The request body must be a form or JSON. Send it with Content-Type: application/x-www-form-urlencoded or application/json.',
      ask('', { 'Content-Type': 'text/plain' }),
    ],
    ['The request body must be a JSON object.', ask([])],
    ['The parameter refresh_token must be a string.', ask({ ...parameters, refresh_token: 7 })],
    ['The parameter refresh_token is missing.', ask({ ...parameters, refresh_token: '' })],
    [
      'The request has the parameter client_id more than once. Send it once.',
      ask('client_id=a&client_id=b', form),
    ],
    [
      'The request has client credentials in the Authorization header and in the body. Send them in only one of these places.',
      ask(parameters, basic('walker:s')),
    ],
    [
      'The Authorization header does not have Basic credentials. Send client_id and client_secret as Basic credentials or in the body.',
      ask({}, { Authorization: 'Bearer x' }),
    ],
    [
      'The Basic credentials have no colon. Send client_id:client_secret, encoded as Base64.',
      ask({}, basic('walker')),
    ],
  ])('is "%s"', async (message, cause) => {
    expect(await messageOf(cause)).toBe(message);
  });
});

test('API Gateway responds to each error with the detail of its type', () => {
  expect(Object.fromEntries(gatewayResponses.map(({ type, detail }) => [type, detail]))).toEqual({
    UNAUTHORIZED:
      'The credentials are missing or wrong, or the request has an X-HTTP-Method-Override header. Send valid user credentials, and do not send this header.',
    ACCESS_DENIED:
      'These credentials do not allow this request. Use credentials that have permission for this request.',
    MISSING_AUTHENTICATION_TOKEN:
      'API Gateway does not support this method. Use a method that the path supports.',
    BAD_REQUEST_PARAMETERS:
      'The request parameters are malformed. Check them against the description of the operation.',
    BAD_REQUEST_BODY: 'The request body is malformed. Check it against the description of the operation.',
    UNSUPPORTED_MEDIA_TYPE: 'The request body must be JSON. Send it with Content-Type: application/json.',
    THROTTLED:
      'The service is receiving too many requests. Wait for the number of seconds in Retry-After, then send the request again.',
    QUOTA_EXCEEDED:
      'The request quota is exhausted. Wait for the number of seconds in Retry-After, then send the request again.',
    WAF_FILTERED:
      'The firewall blocked the request, for one of these reasons: too many requests came from your IP address, the request looks like an attack, or it has an X-HTTP-Method-Override header. Send fewer requests, and do not send this header.',
    AUTHORIZER_CONFIGURATION_ERROR:
      'The service could not check the credentials. The request had no effect. Wait for the number of seconds in Retry-After, then send it again.',
    AUTHORIZER_FAILURE:
      'The service could not check the credentials. The request had no effect. Wait for the number of seconds in Retry-After, then send it again.',
    INTEGRATION_FAILURE:
      'The service is overloaded or has failed. The request may have taken effect. Wait for the number of seconds in Retry-After. Before you send the request again, check whether it took effect.',
    INTEGRATION_TIMEOUT:
      'The service did not respond in time. The request may have taken effect. Before you send it again, check whether it took effect.',
  });
});

describe('the message of a setting', () => {
  const problemWith = (values: Record<string, unknown>) => {
    const { node } = new RootConstruct();
    for (const [name, value] of Object.entries(values)) node.setContext(name, value);
    return messageOf(() => readSettings(node));
  };

  test('begins with where to correct the settings', async () => {
    const [first] = (await problemWith({ stage: 'X' })).split('\n');
    expect(first).toBe(
      'Some settings are invalid. Correct them in "context" in cdk.json, or with the option -c name=value.',
    );
  });

  const arn = (service: string, resource: string) =>
    `must be an ARN such as arn:aws:${service}:us-east-1:123456789012:${resource}, or empty`;
  test.each<[string, Record<string, unknown>]>([
    ['Unknown setting "stgae". Did you mean "stage"?', { stgae: 'test' }],
    ['Unknown setting "dog".', { dog: 'rex' }],
    [
      'stage must be 1 to 16 lowercase letters and digits, beginning with a letter. Its value is "X".',
      { stage: 'X' },
    ],
    ['stage must be a string. Its value is 7.', { stage: 7 }],
    ['mailSender must be an email address. Its value is "rex".', { mailSender: 'rex' }],
    ['mailIdentity must be an email address or a domain, or empty. Its value is "-".', { mailIdentity: '-' }],
    [
      'mailIdentity must be mailSender, its domain or a parent domain. Its value is "b.example".',
      { mailSender: 'x@a.example', mailIdentity: 'b.example' },
    ],
    ['baseUrl must be an https URL without a trailing slash, or empty. Its value is "x".', { baseUrl: 'x' }],
    [
      'domainName must be a domain name in lowercase letters, or empty. Its value is "X".',
      { domainName: 'X' },
    ],
    [
      'certificateArn must be set if, and only if, domainName is set. Its value is "".',
      { domainName: 'dogs.example.org' },
    ],
    [`certificateArn ${arn('acm', 'certificate/<id>')}. Its value is "x".`, { certificateArn: 'x' }],
    [`encryptionKeyArn ${arn('kms', 'key/<id>')}. Its value is "x".`, { encryptionKeyArn: 'x' }],
    [`alarmTopicArn ${arn('sns', '<topic>')}. Its value is "x".`, { alarmTopicArn: 'x' }],
    [
      'alarmTopicArn must be set if monthlyBudgetDollars is not 0. Its value is "".',
      { monthlyBudgetDollars: 5 },
    ],
    [
      'corsOrigin must be an origin such as https://app.example, or *, or empty. Its value is "x".',
      { corsOrigin: 'x' },
    ],
    ['credentials must be a list of names. Its value is 7.', { credentials: 7 }],
    [
      'credentials must be names of 1 to 32 letters and digits, each beginning with a letter. Its value is "my-dogs".',
      { credentials: 'my-dogs' },
    ],
    ['credentials must not repeat a name. Its value is "a,a".', { credentials: 'a,a' }],
    [
      'credentials must have at most 10 names. Its value is "a,b,c,d,e,f,g,h,i,j,k".',
      { credentials: 'a,b,c,d,e,f,g,h,i,j,k' },
    ],
    ['deletionProtection must be true or false. Its value is "maybe".', { deletionProtection: 'maybe' }],
    ['purgeConcurrency must be a number. Its value is "many".', { purgeConcurrency: 'many' }],
    ['purgeConcurrency must be a whole number. Its value is 1.5.', { purgeConcurrency: 1.5 }],
    ['purgeConcurrency must be at least 1. Its value is 0.', { purgeConcurrency: 0 }],
    ['purgeConcurrency must be at most 10. Its value is 11.', { purgeConcurrency: 11 }],
    ['architecture must be arm64 or x86_64. Its value is "z80".', { architecture: 'z80' }],
    [
      'firewallRequestsPerAddress must be 0 or at least 10. Its value is 5.',
      { firewallRequestsPerAddress: 5 },
    ],
    ['releases must be allAtOnce or canary. Its value is "x".', { releases: 'x' }],
    [
      'tags must be name=value pairs, separated by commas, or an object with string values. Its value is 7.',
      { tags: 7 },
    ],
    ['tags must be name=value pairs, separated by commas. Its value is "team".', { tags: 'team' }],
    [
      'tags must have names of 1 to 128 characters and values of 1 to 256 characters. They can contain letters, digits, spaces and _ . : / = + - @. A name must not begin with "aws:". Its value is "team=dogs;".',
      { tags: 'team=dogs;' },
    ],
    [
      'logRetentionDays must be one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653. Its value is 2.',
      { logRetentionDays: 2 },
    ],
  ])('is "%s"', async (message, values) => {
    const lines = (await problemWith(values)).split('\n').slice(1);
    expect(lines).toContain(`  ${message}`);
  });
});

describe('the message of a command', () => {
  const { env } = process;
  beforeAll(() => {
    process.env = { ...env };
    const queues = [{ name: 'BarkDlq', function: 'x' }, { name: 'MailFeedback' }];
    const outputs = { Queues: JSON.stringify(queues), DogsTable: 'dogs-1', SigningKeySecret: 'key' };
    mockClient(CloudFormationClient)
      .rejects(new Error('Stack with id None does not exist'))
      .on(DescribeStacksCommand, { StackName: 'Dogs' })
      .resolves({
        Stacks: [
          {
            StackName: 'Dogs',
            CreationTime: new Date(),
            StackStatus: 'CREATE_COMPLETE',
            Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
          },
        ],
      });
  });
  afterAll(() => {
    process.env = env;
  });

  const commandList = '\nRun npx dogs --help for the commands.';
  const usage = (command: string) => `\nRun npx dogs ${command} --help for the usage.`;

  test.each<[string, string, TerminalOptions?]>([
    [`Unknown command 'usrs'. Did you mean users?${commandList}`, 'usrs'],
    [
      "Unknown command 'creat'. Did you mean create?\nRun npx dogs users --help for the commands.",
      'users creat',
    ],
    [`Unknown option '--jsn'. Did you mean --json?${usage('users list')}`, 'users list --jsn'],
    [`Unknown option '--force'.${usage('users list')}`, 'users list --force'],
    [`Option '--stack <name>' argument missing.${commandList}`, 'users list --stack'],
    [`Missing required argument 'client'.${usage('grants create')}`, 'grants create jane'],
    [`Too many arguments for 'get'. Expected 1 argument but got 2: rex, max.${usage('get')}`, 'get rex max'],
    [
      `Option '--limit <number>' argument 'x' is invalid. It must be a whole number from 1 to 999999.${usage('list')}`,
      'list --limit x',
    ],
    [
      `Option '--bark-handling <handling>' argument 'soon' is invalid. Allowed choices are sync, async.${usage('create')}`,
      'create rex --bark-handling soon',
    ],
    [
      `Command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are zsh, bash, fish, powershell.${commandList}`,
      'complete tcsh',
    ],
    [
      '"bob:max" is not a valid name. A name has 1 to 64 characters: letters, digits, ., _, @, + and -.',
      'users create bob:max --reveal',
    ],
    [
      'The command prints a secret, and standard output is not a terminal. Add --reveal to print the secret anyway.',
      'users create bob',
    ],
    [
      'This revokes the access of the user "bob" and all grants of the user. Add --yes to confirm, because the command cannot ask without a terminal.',
      'users revoke bob',
    ],
    ['Nothing was changed.', 'users revoke bob', { confirms: false }],
    [
      '"a.b" is not a valid ID for a dog. An ID has 1 to 40 characters: letters, digits, - and _.',
      'create a.b',
    ],
    ['--bark-effects must be one of emailDog, emailOwner, count, record.', 'create rex --bark-effects bite'],
    ['--email must be an email address.', 'create rex --email rex'],
    ['Unknown credential "dogs". The credentials setting contains: none.', 'credentials get dogs'],
    [
      'Unknown queue "BarkDql". Did you mean "BarkDlq"? The queues are: BarkDlq, MailFeedback.',
      'queues get BarkDql',
    ],
    [
      'The queue MailFeedback contains notifications, which no function processes. Read them with "npx dogs queues get".',
      'queues redrive MailFeedback',
    ],
    [
      'Unknown table "dog". Did you mean "dogs"? The tables are: dogs, barks, access.',
      'tables fill dog dogs-2',
    ],
    ['dogs-1 is the table to fill. Name another table to copy from.', 'tables fill dogs dogs-1'],
    [
      'The stack None cannot be read. Check your AWS credentials and AWS_REGION. Stack with id None does not exist',
      'users list --stack None',
    ],
  ])('is %j', async (...[message, args, terminal]) => {
    const stack = args.includes('--stack') ? [] : ['--stack', 'Dogs'];
    const { stdout, stderr } = await runInProcess([...args.split(' '), ...stack], terminal);
    expect([stdout, stderr]).toEqual(['', `${message}\n`]);
  });

  test('about a name that is taken names the command that replaces the secret', () => {
    const messages = (['user', 'client', 'grant'] as const).map((kind) =>
      messageOfFailure(new AlreadyExists(kind, 'jane')),
    );
    expect(messages).toEqual([
      'The user "jane" already exists. Replace its password with "npx dogs users rotate".',
      'The client "jane" already exists. Replace its secret with "npx dogs clients rotate".',
      'The grant "jane" already exists. Replace its refresh token with "npx dogs grants rotate".',
    ]);
  });
});

describe('the message of npm start', () => {
  const { env } = process;
  afterEach(() => {
    process.env = env;
  });

  test.each<[string, readonly string[], Record<string, string>]>([
    [
      'Unknown option "--contxt". Did you mean "--context"? Run npm start -- --help for a list of the options.',
      ['--contxt'],
      {},
    ],
    ['Unknown option "--port". Run npm start -- --help for a list of the options.', ['--port', '4000'], {}],
    ["Unexpected argument 'stage=x'. Run npm start -- --help for a list of the options.", ['stage=x'], {}],
    ['PORT must be a number from 0 to 65535, not "dog".', [], { PORT: 'dog' }],
    ['CONCURRENT_EXECUTIONS must be a positive whole number, not "0".', [], { CONCURRENT_EXECUTIONS: '0' }],
  ])('is "%s"', async (message, args, variables) => {
    process.env = { ...env, ...variables };
    expect(await messageOf(() => readOptions(args))).toBe(message);
  });
});

describe('the messages of errors', () => {
  const project = resolve(import.meta.dirname, '..');

  /** Returns the message texts of all `new errorClass(…)` calls in a folder, sorted by file. */
  function textsOf(folder: string, errorClass: string): string[] {
    const files = readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' });
    const pattern = new RegExp(
      `new ${errorClass}\\(\\s*(?:'((?:[^'\\\\]|\\\\.)*)'|\`((?:[^\`\\\\]|\\\\.)*)\`)`,
      'g',
    );
    return files
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .flatMap((name) => [...readFileSync(join(project, folder, name), 'utf8').matchAll(pattern)])
      .map(([, quoted, template]) => quoted ?? template ?? '');
  }

  test.each([
    ['local', 'UserError'],
    ['bin', 'UserError'],
    ['bin', 'UsageError'],
    ['bin', 'CommandFailed'],
    ['bin', 'CannotRedrive'],
    ['lambdas', 'Unavailable'],
    ['lambdas', 'MailNotSent'],
    ['lambdas', 'MailRefused'],
    ['lambdas', 'ScheduleRefused'],
    ['lambdas', 'TooLate'],
    ['lambdas', 'InvalidClient'],
    ['lambdas', 'InvalidGrant'],
    ['lambdas', 'UnsupportedGrantType'],
  ])('in %s/ of the class %s match the snapshot', (folder, errorClass) => {
    const texts = textsOf(folder, errorClass);
    expect(texts.filter((text) => !/[.}]$/.test(text))).toEqual([]);
    expect(texts.join('\n')).toMatchSnapshot();
  });
});
