import { testWith } from '../../support/capabilities.ts';
import { type ApiResponse, type Client, documentOf, header, type Problem } from '../../support/client.ts';
import { driverName, effects, service, stateOf, testDogs, timeOfService } from '../service.ts';
import { type Case, type CaseGroup, type DogKind, httpDate } from './case.ts';

/** The responses to a request, one for each dog, or the request's error, which fails only the test of this request. */
type Outcome = PromiseSettledResult<readonly ApiResponse[]>;

const concurrency = 6;

/** Tests each case, and that the requests of a group change nothing. The names of the cases must not depend on the time. */
export function testCases(groupsAt: (now: number) => readonly CaseGroup[]): void {
  const groups = groupsAt(0).map((group, index) => ({ ...group, title: readable(group.title), index }));
  describe.each(groups)('$title', ({ index, dogs: kinds, cases: named }) => {
    const tests = named.flatMap((one, i) =>
      canSend(one)
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
      dogs = await Promise.all(kinds.map((kind) => newDog(kind)));
      before = await stateOfAll(dogs);
      now = await timeOfService();
      cases = groupsAt(now)[index]?.cases ?? [];
      if (driverName === 'over HTTP')
        outcomes = await sendAll(cases, (one) => (canSend(one) ? send(one) : Promise.resolve([])));
    });

    for (const [needs, some] of Map.groupBy(tests, (one) => one.needs))
      testWith(driverName === 'over HTTP' ? needs : undefined).each(some.map(({ values }) => values))(
        'returns %i for %s',
        async (_, __, i) => {
          const { [i]: one } = cases;
          if (!one) throw new Error('The names of the cases depend on the time.');
          const outcome = outcomes[i];
          if (outcome?.status === 'rejected') throw outcome.reason;
          const responses = outcome?.value ?? (await send(one));
          for (const [which, response] of responses.entries())
            expect(actualOf(response, one)).toEqual(expectedOf(one, dogs[which] ?? ''));
        },
      );

    test('changes nothing', async () => {
      expect(await stateOfAll(dogs)).toEqual(before);
    });
  });
}

function readable(text: string): string {
  return text.replace('{dog}', '/v1/dogs/{id}/');
}

function canSend({ only }: Case): boolean {
  return only === undefined || only.driver === driverName;
}

function idOf(dog: string): string {
  return dog.split('/').at(-2) ?? '';
}

/** Returns the arguments that send a case to a dog. */
function requestOf(
  { request, body, fields }: Case,
  { dog, now }: { dog: string; now: number },
): Parameters<Client['send']> {
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

async function newDog(kind: DogKind): Promise<string> {
  const dog = testDogs.newPath();
  const create = async (request: string, body: unknown, status: number) => {
    const sent = requestOf({ request, body, status }, { dog, now: 0 });
    expect((await service.send(...sent)).status).toBe(status);
  };
  if (kind === 'absent') return dog;
  await create('PUT {dog}', {}, 201);
  if (kind === 'new') return dog;
  const next = (await timeOfService()) + 30 * 24 * 3_600;
  await create('POST {dog}bark-schedule', { token: 1, next, frequency: 30 }, 205);
  return dog;
}

/** Returns the visible state of dogs, and all effects. If two results are equal, no request changed anything in between. */
async function stateOfAll(dogs: readonly string[]): Promise<object> {
  return { dogs: await Promise.all(dogs.map(stateOf)), effects: effects?.() };
}

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
function actualOf(response: ApiResponse, expected: Case): object {
  const { method, status, headers, text } = response;
  const fields = Object.keys(expected.headers ?? {}).map((name) => [name, headers.get(name)]);
  const common = { status, headers: Object.fromEntries(fields) };
  if (method === 'HEAD') return { ...common, text };
  const document = documentOf<Problem & { error?: string; error_description?: string }>(response);
  const { type, errors = [], error, error_description: description = '' } = document;
  const { detail = description } = document as Partial<Problem>;
  return {
    ...common,
    contentType: header(response, 'Content-Type'),
    ...(expected.problem && { type }),
    ...(expected.detail && { detail: timeless(detail) }),
    ...(expected.errors && {
      errors: errors.map((one) => `${one.pointer} ${timeless(one.detail)}`).sort(),
    }),
    ...(expected.oauthError && { error }),
  };
}

/** Returns the same parts of the expected response. */
function expectedOf(expected: Case, dog: string): object {
  const { request, status, problem, oauthError, detail, errors, headers = {} } = expected;
  if (request.startsWith('HEAD ')) return { status, headers, text: '' };
  const textOf = (text: string) => timeless(text.replaceAll('{id}', idOf(dog)));
  return {
    status,
    headers,
    contentType: oauthError ? 'application/json' : 'application/problem+json',
    ...(problem && { type: `${service.baseUrl}/docs#problem-${problem}` }),
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
function timeless(text: string): string {
  return driverName === 'over HTTP' ? text.replace(anyDate, '…') : text;
}
