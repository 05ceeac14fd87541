import { lacks, testWith } from '../support/capabilities.ts';
import {
  type ApiResponse,
  type Bark,
  Client,
  documentOf,
  eventually,
  type Fields,
  header,
  type Problem,
  TestDogs,
} from '../support/client.ts';
import { Contract } from '../support/contract.ts';
import { keepSeen } from '../support/coverage.ts';
import { cancellationWindowSeconds, isStrict, sharedAccess } from '../support/shared-service.ts';
import { skipTime, timeOf } from '../support/time.ts';

export const access = sharedAccess();

/** The URL at which the service shows the mails that it has sent. Empty if access.json names no inbox. */
export const mailUrl = access.mail_url ?? '';

/** Returns the function that defines a test that reads mail. If there is no inbox, logs this and skips the test. */
export function testWithInbox(what: string): typeof test | typeof test.skip {
  if (mailUrl) return test;
  console.log(`skipped: ${what}, because access.json names no mail_url`);
  return test.skip;
}

/** Defines a test of a bark that sends mail. */
export const testWithMail = testWith('mail');

/** Defines a test for each case. The cases that send mail are skipped if the service cannot send mail. */
export function testEach<Case extends unknown[] | [unknown]>(cases: readonly Case[]) {
  const [withMail = [], others = []] = [true, false].map((expected) =>
    cases.filter((one) => /"email(Dog|Owner)"/.test(JSON.stringify(one)) === expected),
  );
  return (name: string, run: (...values: Case) => Promise<void>) => {
    if (others.length > 0) test.each(others)(name, run);
    if (withMail.length > 0) testWithMail.each(withMail)(name, run);
  };
}

/** Returns the function that defines a test of access tokens. If the service issues none, logs this and skips the test. */
export function testWithTokens(what: string): typeof test | typeof test.skip {
  if (access.auth_url) return test;
  console.log(`skipped: ${what}, because access.json names no auth_url`);
  return test.skip;
}

const contract = await Contract.of(access, { isStrict });

/**
 * The client of the suite. It checks that each response has the headers and documents that every response must have, and that
 * the response matches the OpenAPI description that the service returns.
 */
export const service = new Client(access, expectManners);

/** Creates the dogs of a test file and deletes them after its tests. */
export const testDogs = new TestDogs(service);
afterAll(() => testDogs.clear());

export function expectManners(received: ApiResponse): void {
  const response = withRequestId(received);
  keepSeen(contract.check(response));
  const { method, url, status, headers, text } = response;
  const request = `${method} ${url} ${status}`;
  expect({
    request,
    cacheControl: headers.get('Cache-Control'),
    contentTypeOptions: headers.get('X-Content-Type-Options'),
    requestId: headers.get('X-Request-Id'),
  }).toEqual({
    request,
    cacheControl: expect.stringMatching(
      publicPaths.some((path) => isAt(url, path)) && status < 400
        ? /^public, max-age=\d+(, stale-while-revalidate=\d+)?$/
        : /^(no-store|private, no-cache)$/,
    ),
    contentTypeOptions: 'nosniff',
    requestId: expect.stringMatching(/^\S+$/),
  });
  if ([204, 205, 304].includes(status) || method === 'HEAD') expect([request, text]).toEqual([request, '']);
  // On each path, a response that API Gateway generates itself is a problem document.
  const isOfFunction = !headers.has('x-amzn-ErrorType');
  if (status >= 400 && isAt(url, '/oauth2/v4/token') && isOfFunction) expectOAuthError(response);
  else if (status >= 400) expectProblem(response);
}

/** Adds the request ID to a response of API Gateway itself if the environment lacks it there. */
function withRequestId(response: ApiResponse): ApiResponse {
  const { headers } = response;
  if (!headers.has('x-amzn-ErrorType') || !lacks("the request ID in API Gateway's own responses"))
    return response;
  return { ...response, headers: new Headers([...headers, ['X-Request-Id', 'lacking']]) };
}

/** The paths that need no credentials and whose responses are cacheable. */
const publicPaths = ['/.well-known/jwks.json', '/openapi.json', '/docs', '/'];

function isAt(url: string, path: string): boolean {
  const below = url.slice(access.base_url.replace(/\/$/, '').length);
  return path === '/'
    ? below.replace(/[?#].*$/, '') === path
    : new URL(url).pathname.replace(/\/$/, '').endsWith(path);
}

/**
 * Checks the error document of the token endpoint.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2 RFC 6749 section 5.2}
 */
function expectOAuthError(response: ApiResponse): void {
  const { method, headers } = response;
  expect(headers.get('Content-Type')).toMatch(/^application\/json(;|$)/);
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(headers.get('Pragma')).toBe('no-cache');
  if (method === 'HEAD') return;
  expect(documentOf(response)).toEqual({
    error: expect.stringMatching(/^[a-z_]+$/),
    error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
  });
}

function expectProblem(response: ApiResponse): void {
  const { method, status, headers } = response;
  expect(headers.get('Content-Type')).toBe('application/problem+json');
  if (method === 'HEAD') return;
  expect(documentOf<Problem>(response)).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: expect.any(String),
  });
}

/** Waits until an asynchronous bark is no longer pending, and returns the response of its GET. */
export async function settled(bark: string): Promise<ApiResponse> {
  await skipTime(access, cancellationWindowSeconds);
  return eventually(
    async () => {
      const response = await service.get(bark);
      expect(documentOf<Bark>(response).status).not.toBe('pending');
      return response;
    },
    { deadline: 45_000, interval: 20 },
  );
}

/**
 * Returns the stored state of a dog, its barks and its schedule. If two states are equal, nothing was stored in between.
 */
export async function stateOf(path: string): Promise<object> {
  const [dog, barks, schedule] = await Promise.all([
    service.get(path),
    service.get(`${path}barks`),
    service.get(`${path}bark-schedule`),
  ]);
  return {
    status: dog.status,
    etag: dog.headers.get('ETag'),
    dog: dog.text,
    barks: barks.text,
    schedule: schedule.status === 200 ? schedule.text : schedule.status,
  };
}

/** Returns an address whose mail SES accepts and does not deliver. */
export function simulatedAddress(): string {
  return `success+${crypto.randomUUID()}@simulator.amazonses.com`;
}

/** Returns the time of the service's clock, in Unix seconds. */
export async function timeOfService(): Promise<number> {
  if (access.clock_url) return Math.floor((await timeOf(access)) / 1000);
  return Date.parse(header(await service.head('/v1/dogs/?limit=1'), 'Date')) / 1000;
}

/** Returns the HTTP date of a time in Unix seconds. */
export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

/** Patches the schedule of a dog with the time of the service as If-Unmodified-Since. */
export async function patchBarks(dog: string, barks: unknown, fields: Fields = {}): Promise<ApiResponse> {
  const now = await timeOfService();
  return service.patch(dog, { barks }, { 'If-Unmodified-Since': httpDate(now), ...fields });
}
