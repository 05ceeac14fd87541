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

/** Sends a request to bark, with a unique request ID. */
function send(
  dog_id: string,
  { headers, user = 'dog-lover' }: { headers?: Record<string, string>; user?: string } = {},
) {
  const { requestContext } = sampleEvent('PostBarks');
  return invoke(postBarks, 'PostBarks', {
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

test('A repeat returns 409 with Retry-After while the first request is in progress', async () => {
  const id = await dogOf(['sync', 'emailDog', 'record']);
  let second: Awaited<ReturnType<typeof send>> | undefined;
  plan('SendRawEmail', async () => {
    second = await send(id);
  });
  expect((await send(id)).statusCode).toBe(201);
  expect(second).toMatchObject({ statusCode: 409, headers: { 'Retry-After': '1' } });
  expect(second?.json()).toMatchObject({
    title: 'A request with the same Idempotency-Key is in progress',
    detail: expect.stringContaining('in progress'),
  });
  expect(sent()).toHaveLength(1);
});

test('An invalid key returns 400 before any AWS call', async () => {
  const response = await send('unknown', { headers: { 'Idempotency-Key': 'unquoted' } });
  expect([response.statusCode, response.json()]).toEqual([
    400,
    expect.objectContaining({ detail: expect.stringContaining('double quotes') }),
  ]);
  expect(calls()).toEqual([]);
});

test('Two users can use the same key', async () => {
  const id = await dogOf(['sync', 'record']);
  const responses = [await send(id), await send(id, { user: 'cat-lover' })];
  expect(new Set(responses.map(({ headers }) => headers?.Location)).size).toBe(2);
  expect(await countOf(id)).toBe(2);
});

test('The response for an accepted bark has the media type that each request accepts', async () => {
  const id = await dogOf(['async', 'record']);
  const hypertext = await send(id, { headers: { Accept: 'text/html' } });
  const json = await send(id, { headers: { Accept: 'application/json' } });
  expect(json.json()).toEqual({ bark: hypertext.headers?.Location, status: 'pending' });
});
