import { readFileSync } from 'node:fs';
import type { Access } from '../../tools/service.ts';
import {
  type Answer,
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

// A deployed stack answers from afar, and may throttle.
import.meta.jest.setTimeout(60_000);

export const access: Access = JSON.parse(readFileSync(process.env.ACCESS_FILE ?? '', 'utf8'));

/** Answers the mails; empty where no inbox can be read. */
export const mailUrl = access.mail_url ?? '';

/** A test that reads mail: skipped, with a line that says what it would have seen, where there is no inbox. */
export function testWithInbox(what: string): typeof test | typeof test.skip {
  if (mailUrl) return test;
  console.log(`skipped: ${what}, because access.json names no mail_url`);
  return test.skip;
}

/** A test of a bark that sends mail. It is skipped if the service cannot send mail, which the start of the suite logs. */
export const testWithMail = process.env.NO_MAIL ? test.skip : test;

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

/** A test of access tokens: skipped, with a line that says what it would have seen, where none are issued. */
export function testWithTokens(what: string): typeof test | typeof test.skip {
  if (access.auth_url) return test;
  console.log(`skipped: ${what}, because access.json names no auth_url`);
  return test.skip;
}

const contract = await Contract.of(access);

/**
 * The client of the suite: each answer that it gets, in whatever test, is held to the service's manners, and to the
 * description that the service shows of itself.
 */
export const service = new Client(access, expectManners);

/** Creates the dogs of a test file, which are deleted when the file ends. */
export const testDogs = new TestDogs(service);
afterAll(() => testDogs.clear());

export function expectManners(answer: Answer): void {
  keepSeen(contract.check(answer));
  const { method, url, status, headers, text } = answer;
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
        ? /^public, max-age=\d+$/
        : /^(no-store|private, no-cache)$/,
    ),
    contentTypeOptions: 'nosniff',
    requestId: expect.stringMatching(/^\S+$/),
  });
  if ([204, 205, 304].includes(status) || method === 'HEAD') expect([request, text]).toEqual([request, '']);
  // On each path, a response that API Gateway generates itself is a problem document.
  const isOfFunction = !headers.has('x-amzn-ErrorType');
  if (status >= 400 && isAt(url, '/oauth2/v4/token') && isOfFunction) expectOAuthError(answer);
  else if (status >= 400) expectProblem(answer);
}

/** What anybody may see, and keep for a while. */
const publicPaths = ['/.well-known/jwks.json', '/openapi.json', '/docs', '/'];

function isAt(url: string, path: string): boolean {
  const below = url.slice(access.base_url.replace(/\/$/, '').length);
  return path === '/'
    ? below.replace(/[?#].*$/, '') === path
    : new URL(url).pathname.replace(/\/$/, '').endsWith(path);
}

/** RFC 6749 section 5.2. */
function expectOAuthError(answer: Answer): void {
  const { method, headers } = answer;
  expect(headers.get('Content-Type')).toMatch(/^application\/json(;|$)/);
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(headers.get('Pragma')).toBe('no-cache');
  if (method === 'HEAD') return;
  expect(documentOf(answer)).toEqual({
    error: expect.stringMatching(/^[a-z_]+$/),
    error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
  });
}

function expectProblem(answer: Answer): void {
  const { method, status, headers } = answer;
  expect(headers.get('Content-Type')).toBe('application/problem+json');
  if (method === 'HEAD') return;
  expect(documentOf<Problem>(answer)).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: expect.any(String),
  });
}

/** The answer for an asynchronous bark when it is pending no more. */
export function settled(bark: string): Promise<Answer> {
  return eventually(
    async () => {
      const answer = await service.get(bark);
      expect(documentOf<Bark>(answer).status).not.toBe('pending');
      return answer;
    },
    { deadline: 45_000, interval: 100 },
  );
}

/** The fields that a problem names, as JSON pointers. */
export function faultyFields(answer: Answer): string[] {
  return (documentOf<Problem>(answer).errors ?? []).map(({ pointer }) => pointer);
}

/** What a dog is, has done and is to do: where this is the same, nothing was stored. */
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

/** An address at which SES takes any mail and delivers none. */
export function simulatedAddress(): string {
  return `success+${crypto.randomUUID()}@simulator.amazonses.com`;
}

/** What time it is by the clock of the service, in Unix seconds. */
export async function timeOfService(): Promise<number> {
  return Date.parse(header(await service.head('/v1/dogs/?limit=1'), 'Date')) / 1000;
}

/** The HTTP date of a time in Unix seconds. */
export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

/** Patches a dog's schedule, with the date that it is. */
export async function patchBarks(dog: string, barks: unknown, fields: Fields = {}): Promise<Answer> {
  const now = await timeOfService();
  return service.patch(dog, { barks }, { 'If-Unmodified-Since': httpDate(now), ...fields });
}
