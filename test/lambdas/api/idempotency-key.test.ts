import { handler as postLastBark } from '../../../lambdas/api/dogs/bark/post.ts';
import { handler as postBarks } from '../../../lambdas/api/dogs/barks/post.ts';
import { readDogView } from '../../../lambdas/domain/barks/queries.ts';
import type { DogSettings } from '../../../lambdas/domain/dogs/dog.ts';
import { sampleEvent } from '../../../tools/invocation.ts';
import { useDatabase } from '../../support/database.ts';
import { newDog } from '../../support/dogs.ts';
import { calls, injectFaults, plan, reset, sent } from '../../support/faults.ts';
import { invoke } from '../../support/invoke.ts';

useDatabase();
beforeAll(injectFaults);
beforeEach(reset);

type Settings = readonly [DogSettings['barkHandling'], ...DogSettings['barkEffects']];

async function dogOf([handling, ...effects]: Settings): Promise<string> {
  const id = await newDog(handling, effects);
  reset();
  return id;
}

const resources = {
  barks: [postBarks, 'PostBarks'],
  bark: [postLastBark, 'PostLastBark'],
} as const;

/** Sends a request to bark, with a unique request ID. */
function send(
  dog_id: string,
  resource: keyof typeof resources,
  { headers, user = 'dog-lover' }: { headers?: Record<string, string>; user?: string } = {},
) {
  const [handler, name] = resources[resource];
  const { requestContext } = sampleEvent(name);
  return invoke(handler, name, {
    pathParameters: { dog_id },
    headers: { 'Idempotency-Key': '"8e03978e-40d5-43e8-bc93-6894a57f9324"', ...headers },
    requestContext: {
      ...requestContext,
      extendedRequestId: crypto.randomUUID(),
      authorizer: { ...requestContext.authorizer, principalId: user },
    },
    body: null,
  });
}

const countOf = async (id: string) =>
  (await readDogView(id, { now: Date.now(), signal: AbortSignal.timeout(8_000) })).dog.barkCount;

test.each<[keyof typeof resources, Settings, number]>([
  ['barks', ['sync', 'emailDog'], 200],
  ['barks', ['sync', 'record'], 201],
  ['barks', ['sync', 'emailDog', 'record'], 201],
  ['barks', ['async', 'record'], 202],
  ['barks', ['sync', 'count'], 303],
  ['bark', ['sync', 'emailDog'], 201],
  ['bark', ['sync', 'record'], 201],
  ['bark', ['sync', 'count'], 201],
  ['bark', ['async', 'count'], 202],
])(
  'POST %s for a dog with %j returns %i again, with the same bytes except for X-Request-Id',
  async (resource, dog, status) => {
    const clock = jest.spyOn(Date, 'now');
    const now = Date.now();
    const id = await dogOf(dog);
    const first = await send(id, resource);
    clock.mockReturnValue(now + 20_000);
    const repeat = await send(id, resource);
    clock.mockRestore();
    expect([first.statusCode, repeat.body]).toEqual([status, first.body]);
    expect({ ...repeat.headers, 'X-Request-Id': '' }).toEqual({ ...first.headers, 'X-Request-Id': '' });
    expect(repeat.headers?.['X-Request-Id']).not.toBe(first.headers?.['X-Request-Id']);
  },
);

test('A repeat returns 409 with Retry-After while the first request is in progress', async () => {
  const id = await dogOf(['sync', 'emailDog', 'record']);
  let second: Awaited<ReturnType<typeof send>> | undefined;
  plan('SendRawEmail', async () => {
    second = await send(id, 'barks');
  });
  expect((await send(id, 'barks')).statusCode).toBe(201);
  expect(second).toMatchObject({ statusCode: 409, headers: { 'Retry-After': '1' } });
  expect(second?.json()).toMatchObject({
    title: 'A request with the same Idempotency-Key is in progress',
    detail: expect.stringContaining('in progress'),
  });
  expect(sent()).toHaveLength(1);
});

test('A different request with the same key returns 422', async () => {
  const id = await dogOf(['sync', 'record']);
  await send(id, 'barks');
  const other = await send(id, 'barks', { headers: { Prefer: 'respond-async' } });
  expect([other.statusCode, other.json()]).toEqual([
    422,
    expect.objectContaining({ detail: expect.stringContaining('a different request') }),
  ]);
  expect(await countOf(id)).toBe(1);
});

test('An invalid key returns 400 before any AWS call', async () => {
  const response = await send('unknown', 'barks', { headers: { 'Idempotency-Key': 'unquoted' } });
  expect([response.statusCode, response.json()]).toEqual([
    400,
    expect.objectContaining({ detail: expect.stringContaining('double quotes') }),
  ]);
  expect(calls()).toEqual([]);
});

test('Two users can use the same key', async () => {
  const id = await dogOf(['sync', 'record']);
  const responses = [await send(id, 'barks'), await send(id, 'barks', { user: 'cat-lover' })];
  expect(new Set(responses.map(({ headers }) => headers?.Location)).size).toBe(2);
  expect(await countOf(id)).toBe(2);
});

test('The response for an accepted bark has the media type that each request accepts', async () => {
  const id = await dogOf(['async', 'record']);
  const hypertext = await send(id, 'barks', { headers: { Accept: 'text/html' } });
  const json = await send(id, 'barks', { headers: { Accept: 'application/json' } });
  expect(json.json()).toEqual({ bark: hypertext.headers?.Location, status: 'pending' });
});
