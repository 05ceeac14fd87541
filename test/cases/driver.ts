import { type ApiResponse, documentOf, header, type Problem } from '../support/client.ts';
import { type Case, type CaseGroup, type DogKind, type Driver, type Fields, httpDate } from './case.ts';

/** The service that a driver tests. */
export interface TestedService {
  readonly driver: Driver;
  readonly baseUrl: string;
  readonly send: (
    method: string,
    path: string,
    request?: { readonly fields?: Fields | undefined; readonly body?: Buffer | undefined },
  ) => Promise<ApiResponse>;
  /** Returns the path of a dog that does not exist, with a trailing slash. */
  readonly newPath: () => string;
  /** Returns the time of the service, in Unix seconds. */
  readonly now: () => Promise<number>;
  /** Returns the calls with an effect outside of the database, such as a mail. Absent if the driver cannot observe them. */
  readonly effects?: () => readonly string[];
}

/** The number of requests that the driver sends concurrently over HTTP. */
const concurrency = 6;

/** The settled result of a request, so that an error fails only the test of this request. */
type Settled = () => readonly ApiResponse[];

/**
 * Defines a test for each case, and for each group a test that its requests have changed nothing.
 *
 * @param groupsAt returns the groups for a time in Unix seconds. Their names do not depend on the time
 */
export function testCases(service: TestedService, groupsAt: (now: number) => readonly CaseGroup[]): void {
  for (const [index, { title, dogs: kinds, cases }] of groupsAt(0).entries())
    describe(title, () => {
      const names = cases
        .filter(({ only }) => only === undefined || only.driver === service.driver)
        .map(({ name, status }) => [status, name] as const);
      let dogs: readonly string[];
      let before: unknown;
      let byName: ReadonlyMap<string, Case>;
      let responses: ReadonlyMap<string, Settled> | undefined;

      async function send(name: string): Promise<readonly ApiResponse[]> {
        const one = caseOf(name);
        return Promise.all(
          dogs.map((dog) => {
            const path = one.path.startsWith('/') ? one.path : `${dog}${one.path}`;
            return service.send(one.method, path.replace('{dog}', idOf(dog)), one);
          }),
        );
      }

      function caseOf(name: string): Case {
        const one = byName.get(name);
        if (!one) throw new Error(`There is no case "${name}".`);
        return one;
      }

      beforeAll(async () => {
        dogs = await Promise.all(kinds.map((kind) => newDog(service, kind)));
        const group = groupsAt(await service.now())[index];
        byName = new Map(group?.cases.map((one) => [one.name, one]));
        before = await stateOf(service, dogs);
        if (service.driver === 'over HTTP')
          responses = await sendAll(
            names.map(([, name]) => name),
            send,
          );
      });

      test.each(names)('returns %i for %s', async (_, name) => {
        const received = responses?.get(name)?.() ?? (await send(name));
        for (const [i, response] of received.entries()) {
          const expected = caseOf(name);
          const dog = idOf(dogs[i] ?? '');
          expect(actualOf(service, response, expected)).toEqual(expectedOf(service, expected, dog));
        }
      });

      test('changes nothing', async () => {
        expect(await stateOf(service, dogs)).toEqual(before);
      });
    });
}

function idOf(dog: string): string {
  return dog.split('/').at(-2) ?? '';
}

/** Creates a dog, and returns its path. */
async function newDog(service: TestedService, kind: DogKind): Promise<string> {
  const dog = service.newPath();
  if (kind === 'absent') return dog;
  const fields = { 'Content-Type': 'application/json' };
  const created = await service.send('PUT', dog, { fields, body: Buffer.from('{}') });
  expect(created.status).toBe(201);
  if (kind === 'new') return dog;
  const next = (await service.now()) + 3_600;
  const body = Buffer.from(JSON.stringify({ token: 1, next, frequency: 30 }));
  expect((await service.send('POST', `${dog}bark-schedule`, { fields, body })).status).toBe(205);
  return dog;
}

/** Returns the visible state of dogs, and all effects. If two results are equal, no request changed anything in between. */
async function stateOf({ send, effects }: TestedService, dogs: readonly string[]): Promise<unknown> {
  const paths = dogs.flatMap((dog) => ['', 'barks', 'bark', 'bark-schedule'].map((path) => `${dog}${path}`));
  const resources = await Promise.all(
    paths.map(async (path) => {
      const response = await send('GET', path);
      const { status, text } = response;
      // The document of an error contains the ID of its request.
      return { path, status, etag: header(response, 'ETag'), text: status === 200 ? text : '' };
    }),
  );
  return { resources, effects: effects?.() };
}

/** Sends requests, a few at a time. */
async function sendAll(
  names: readonly string[],
  send: (name: string) => Promise<readonly ApiResponse[]>,
): Promise<Map<string, Settled>> {
  const results = new Map<string, Settled>();
  const rest = names.values();
  const worker = async () => {
    for (const name of rest)
      results.set(
        name,
        await send(name).then(
          (responses) => () => responses,
          (error) => () => {
            throw error;
          },
        ),
      );
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}

/** Returns the members of a response that the case states. */
function actualOf({ driver }: TestedService, response: ApiResponse, expected: Case): object {
  const { method, status, headers } = response;
  const fields = Object.keys(expected.headers ?? {}).map((name) => [name, headers.get(name)]);
  const common = { status, headers: Object.fromEntries(fields) };
  if (method === 'HEAD') return { ...common, text: response.text };
  const { type, detail, errors = [], error } = documentOf<Problem & { error?: string }>(response);
  return {
    ...common,
    contentType: header(response, 'Content-Type'),
    ...(expected.problem && { type }),
    ...(expected.detail !== undefined && { detail: textOf(driver, detail) }),
    ...(expected.errors && {
      errors: errors.map((one) => `${one.pointer} ${textOf(driver, one.detail)}`).sort(),
    }),
    ...(expected.oauthError && { error }),
  };
}

/** Returns the members of the expected response, in the same form. */
function expectedOf({ driver, baseUrl }: TestedService, expected: Case, dog: string): object {
  const { method, status, problem, oauthError, detail, errors, headers = {} } = expected;
  if (method === 'HEAD') return { status, headers, text: '' };
  const filled = (text: string) => textOf(driver, text.replaceAll('{dog}', dog));
  return {
    status,
    headers,
    contentType: oauthError ? 'application/json' : 'application/problem+json',
    ...(problem && { type: `${baseUrl}/docs#problem-${problem}` }),
    ...(detail !== undefined && { detail: filled(detail) }),
    ...(errors && {
      errors: Object.entries(errors)
        .flatMap(([pointer, details]) => [details].flat().map((one) => `${pointer} ${filled(one)}`))
        .sort(),
    }),
    ...(oauthError && { error: oauthError }),
  };
}

const anyDate = /[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/g;

/** Removes the dates from a text if the clock of the service runs during the test. */
function textOf(driver: Driver, text: string): string {
  return driver === 'over HTTP' ? text.replace(anyDate, httpDate(0)) : text;
}
