import { eventually } from '@rest-actions/local-cloud/testing';
import { testWith } from '../support/capabilities.ts';
import {
  type ApiResponse,
  type Bark,
  Client,
  documentOf,
  type Fields,
  header,
  type Mail,
  TestDogs,
} from '../support/client.ts';
import { keepSeen } from '../support/coverage.ts';
import type { Driver } from './driver.ts';

const { driver }: { driver: Driver } = globalThis.isOverHttp
  ? await import('./over-http.ts')
  : await import('./in-process.ts');

export const { name: driverName, effects, passTime, skipTime, now: timeOfService } = driver;
export const { windowSeconds } = driver;

/** Returns the function that defines a test that reads mail. If there is no inbox, logs this and skips the test. */
export function testWithInbox(what: string): typeof test | typeof test.skip {
  if (driver.mailsTo) return test;
  console.log(`skipped: ${what}, because access.json names no mail_url`);
  return test.skip;
}

/** Returns the emails sent to an address, oldest first. */
export async function mailsTo(address: string): Promise<readonly Mail[]> {
  return (await driver.mailsTo?.(address)) ?? [];
}

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

/** The client of the suite. It checks each response against the OpenAPI description that the service returns. */
export const service = new Client(driver.access, check, driver.send);

/** Over HTTP, the dogs of a test file are deleted after its tests. In process, the database is. */
export const testDogs = new TestDogs(service);
if (driver.name === 'over HTTP') afterAll(() => testDogs.clear());

/** Checks a response against the OpenAPI description, and notes the case of the description that the response is. */
export function check(response: ApiResponse): void {
  const seen = driver.contract.check(response);
  if (driver.name === 'over HTTP') keepSeen(seen);
}

export const asyncDog = (...barkEffects: string[]) =>
  testDogs.newDog({ ...addresses(), barkEffects, barkHandling: 'async' });

/** Returns the URL of a new asynchronous bark. */
export async function accepted(dog: string): Promise<string> {
  const response = await service.post(`${dog}barks`);
  expect(response.status).toBe(202);
  return header(response, 'Location');
}

export async function settled(bark: string): Promise<ApiResponse> {
  await skipTime(windowSeconds);
  return eventually(
    async () => {
      const response = await service.get(bark);
      expect(documentOf<Bark>(response).status).not.toBe('pending');
      return response;
    },
    { deadline: 45_000, interval: 20 },
  );
}

/** Returns what GET shows of a dog. If two results are equal, no request changed anything in between. */
export async function stateOf(dog: string): Promise<object> {
  return Promise.all(
    ['', 'barks', 'bark', 'bark-schedule'].map(async (resource) => {
      const response = await service.get(`${dog}${resource}`);
      const { status, text } = response;
      // The document of an error contains the ID of its request.
      return { resource, status, etag: header(response, 'ETag'), text: status === 200 ? text : '' };
    }),
  );
}

/** Returns the parts of a response that a client may rely on. */
export function essence({ status, headers, text }: ApiResponse): object {
  const names = [
    'cache-control',
    'content-location',
    'content-type',
    'etag',
    'last-modified',
    'link',
    'location',
  ];
  names.push('preference-applied', 'retry-after', 'vary', 'x-content-type-options');
  return { status, headers: names.map((name) => [name, headers.get(name)]), text };
}

/** Returns the addresses that the effects with mail need. */
export const addresses = () => ({ email: simulatedAddress(), owner: `mailto:${simulatedAddress()}` });

/** Returns an address whose mail SES accepts and does not deliver. */
export function simulatedAddress(): string {
  return `success+${crypto.randomUUID()}@simulator.amazonses.com`;
}

export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

/** Patches the schedule of a dog with the time of the service as If-Unmodified-Since. */
export async function patchBarks(dog: string, barks: unknown, fields: Fields = {}): Promise<ApiResponse> {
  const now = await timeOfService();
  return service.patch(dog, { barks }, { 'If-Unmodified-Since': httpDate(now), ...fields });
}
