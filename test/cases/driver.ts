import { testWith } from '../support/capabilities.ts';
import { type ApiResponse, documentOf, header, type Problem } from '../support/client.ts';
import { type Case, type CaseGroup, type DogKind, type Driver, type Fields, httpDate } from './case.ts';

/** The service that a driver tests. */
export interface TestedService {
  readonly driver: Driver;
  readonly baseUrl: string;
  /** Sends a request. A field with an empty value is not sent. */
  readonly send: (method: string, path: string, request?: Sent) => Promise<ApiResponse>;
  /** Returns the path of a dog that does not exist, with a trailing slash. */
  readonly newPath: () => string;
  /** Returns the time of the service, in Unix seconds. */
  readonly now: () => Promise<number>;
  /** Returns the calls with an effect outside of the database, such as a mail. Absent if the driver cannot observe them. */
  readonly effects?: () => readonly string[];
}

interface Sent {
  readonly fields?: Fields;
  readonly body?: Buffer | undefined;
}

/** The responses of the dogs to a request, or its error, which fails only the test of this request. */
type Outcome = PromiseSettledResult<readonly ApiResponse[]>;

/** The number of requests that the driver sends concurrently over HTTP. */
const concurrency = 6;

/**
 * Defines a test for each case, and for each group a test that its requests have changed nothing.
 *
 * @param groupsAt returns the groups for a time in Unix seconds. The names of the cases do not depend on the time
 */
export function testCases(service: TestedService, groupsAt: (now: number) => readonly CaseGroup[]): void {
  const groups = groupsAt(0).map((group, index) => ({ ...group, title: readable(group.title), index }));
  describe.each(groups)('$title', ({ index, dogs: kinds, cases: named }) => {
    const tests = named.flatMap((one, i) =>
      canSend(service, one)
        ? [{ needs: one.needs, values: [one.status, readable(one.name ?? one.request), i] as const }]
        : [],
    );
    let dogs: readonly string[];
    let before: unknown;
    let now: number;
    let cases: readonly Case[];
    let outcomes: readonly Outcome[] = [];
    const send = (one: Case) => Promise.all(dogs.map((dog) => service.send(...requestOf(one, { dog, now }))));

    beforeAll(async () => {
      dogs = await Promise.all(kinds.map((kind) => newDog(service, kind)));
      before = await stateOf(service, dogs);
      now = await service.now();
      cases = groupsAt(now)[index]?.cases ?? [];
      if (service.driver === 'over HTTP')
        outcomes = await sendAll(cases, (one) => (canSend(service, one) ? send(one) : Promise.resolve([])));
    });

    for (const [needs, some] of Map.groupBy(tests, (one) => one.needs))
      testWith(service.driver === 'over HTTP' ? needs : undefined).each(some.map(({ values }) => values))(
        'returns %i for %s',
        async (_, __, i) => {
          const { [i]: one } = cases;
          if (!one) throw new Error('The names of the cases depend on the time.');
          const outcome = outcomes[i];
          if (outcome?.status === 'rejected') throw outcome.reason;
          const responses = outcome?.value ?? (await send(one));
          for (const [which, response] of responses.entries())
            expect(actualOf(service, response, one)).toEqual(expectedOf(service, one, dogs[which] ?? ''));
        },
      );

    test('changes nothing', async () => {
      expect(await stateOf(service, dogs)).toEqual(before);
    });
  });
}

function readable(text: string): string {
  return text.replace('{dog}', '/v1/dogs/{id}/');
}

function canSend({ driver }: TestedService, { only }: Case): boolean {
  return only === undefined || only.driver === driver;
}

function idOf(dog: string): string {
  return dog.split('/').at(-2) ?? '';
}

/** Returns the arguments that send a case to a dog. */
function requestOf(
  { request, body, fields }: Case,
  { dog, now }: { dog: string; now: number },
): Parameters<TestedService['send']> {
  const [method = '', path = ''] = request.split(' ');
  const defaults = {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(method === 'PATCH' && { 'If-Unmodified-Since': httpDate(now) }),
  };
  const sent = typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body);
  return [
    method,
    path.replace('{dog}', dog).replace('{id}', idOf(dog)),
    { fields: { ...defaults, ...fields }, body: sent === undefined ? undefined : Buffer.from(sent) },
  ];
}

/** Creates a dog, and returns its path. */
async function newDog(service: TestedService, kind: DogKind): Promise<string> {
  const dog = service.newPath();
  const create = async (request: string, body: unknown, status: number) => {
    const sent = requestOf({ request, body, status }, { dog, now: 0 });
    expect((await service.send(...sent)).status).toBe(status);
  };
  if (kind === 'absent') return dog;
  await create('PUT {dog}', {}, 201);
  if (kind === 'new') return dog;
  const next = (await service.now()) + 30 * 24 * 3_600;
  await create('POST {dog}bark-schedule', { token: 1, next, frequency: 30 }, 205);
  return dog;
}

/** Returns the visible state of dogs, and all effects. If two results are equal, no request changed anything in between. */
async function stateOf({ send, effects }: TestedService, dogs: readonly string[]): Promise<unknown> {
  const paths = dogs.flatMap((dog) => ['', 'barks', 'bark', 'bark-schedule'].map((path) => `${dog}${path}`));
  const resources = paths.map(async (path) => {
    const response = await send('GET', path);
    const { status, text } = response;
    // The document of an error contains the ID of its request.
    return { path, status, etag: header(response, 'ETag'), text: status === 200 ? text : '' };
  });
  return { resources: await Promise.all(resources), effects: effects?.() };
}

/** Sends the requests of all cases, a few at a time. */
async function sendAll(
  cases: readonly Case[],
  send: (one: Case) => Promise<readonly ApiResponse[]>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const rest = cases.entries();
  const worker = async () => {
    for (const [i, one] of rest) [outcomes[i]] = await Promise.allSettled([send(one)]);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return outcomes;
}

/** Returns the parts of a response that the case states. */
function actualOf({ driver }: TestedService, response: ApiResponse, expected: Case): object {
  const { method, status, headers, text } = response;
  const fields = Object.keys(expected.headers ?? {}).map((name) => [name, headers.get(name)]);
  const common = { status, headers: Object.fromEntries(fields) };
  if (method === 'HEAD') return { ...common, text };
  const { type, detail, errors = [], error } = documentOf<Problem & { error?: string }>(response);
  return {
    ...common,
    contentType: header(response, 'Content-Type'),
    ...(expected.problem && { type }),
    ...(expected.detail && { detail: timeless(driver, detail) }),
    ...(expected.errors && {
      errors: errors.map((one) => `${one.pointer} ${timeless(driver, one.detail)}`).sort(),
    }),
    ...(expected.oauthError && { error }),
  };
}

/** Returns the same parts of the expected response. */
function expectedOf({ driver, baseUrl }: TestedService, expected: Case, dog: string): object {
  const { request, status, problem, oauthError, detail, errors, headers = {} } = expected;
  if (request.startsWith('HEAD ')) return { status, headers, text: '' };
  const textOf = (text: string) => timeless(driver, text.replaceAll('{id}', idOf(dog)));
  return {
    status,
    headers,
    contentType: oauthError ? 'application/json' : 'application/problem+json',
    ...(problem && { type: `${baseUrl}/docs#problem-${problem}` }),
    ...(detail && { detail: textOf(detail) }),
    ...(errors && {
      errors: Object.entries(errors)
        .map(([pointer, one]) => `${pointer} ${textOf(one)}`)
        .sort(),
    }),
    ...(oauthError && { error: oauthError }),
  };
}

const anyDate = /[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/g;

/** Removes the dates from a text if the clock of the service runs during the test. */
function timeless(driver: Driver, text: string): string {
  return driver === 'over HTTP' ? text.replace(anyDate, '…') : text;
}
