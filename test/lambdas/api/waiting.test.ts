import { handler as postLastBark } from '../../../lambdas/api/dogs/bark/post.ts';
import { handler as getBark } from '../../../lambdas/api/dogs/barks/get.ts';
import { handler as postBarks } from '../../../lambdas/api/dogs/barks/post.ts';
import { maxWaitSeconds, waitingTimeoutSeconds } from '../../../lambdas/contract/waiting.ts';
import { cancelBark } from '../../../lambdas/domain/barks/cancel.ts';
import { performBark } from '../../../lambdas/domain/barks/perform.ts';
import type { DogSettings, Effect } from '../../../lambdas/domain/dogs/dog.ts';
import { acceptBark } from '../../support/barks.ts';
import { newContext } from '../../support/context.ts';
import { useDatabase } from '../../support/database.ts';
import { newDog } from '../../support/dogs.ts';
import { calls, injectFaults, plan, reset, started } from '../../support/faults.ts';
import { invoke } from '../../support/invoke.ts';
import { useLogs } from '../../support/logs.ts';
import { duringPauses, skipPauses } from '../../support/pauses.ts';

useDatabase();
useLogs();
skipPauses();
beforeAll(injectFaults);
beforeEach(reset);

const base = 'https://abc123defg.execute-api.us-east-1.amazonaws.com/prod/v1/dogs';
const remaining = waitingTimeoutSeconds * 1_000;
const respondAsync = { Prefer: 'respond-async, wait=10' };
const applied = { 'Preference-Applied': 'respond-async, wait=10' };

async function dogWith(handling: DogSettings['barkHandling'], ...effects: Effect[]): Promise<string> {
  const dog = await newDog(handling, effects);
  reset();
  return dog;
}

const routes = { barks: [postBarks, 'PostBarks'], bark: [postLastBark, 'PostLastBark'] } as const;

function post(
  resource: keyof typeof routes,
  dog_id: string,
  headers: Record<string, string>,
  timeoutMs = remaining,
) {
  const [handler, sample] = routes[resource];
  return invoke(handler, sample, { pathParameters: { dog_id }, headers, body: null, remaining: timeoutMs });
}

function get(dog_id: string, bark_id: string, Prefer: string, httpMethod = 'GET') {
  const pathParameters = { dog_id, bark_id };
  return invoke(getBark, 'GetBark', { pathParameters, headers: { Prefer }, httpMethod, remaining });
}

const barkOf = (dog: string) => started(dog).at(-1)?.bark ?? '';
const context = () => newContext({ after: (Date.now() - newContext().now) / 1_000 });
const perform = (dog: string) => performBark(dog, barkOf(dog), context());

describe('POST /v1/dogs/{dog_id}/barks with Prefer: wait', () => {
  test('returns 200 with the bark and its URL if another client cancels the bark', async () => {
    const dog = await dogWith('async', 'record');
    duringPauses(() => cancelBark(dog, barkOf(dog), context()));
    const response = await post('barks', dog, { Prefer: 'wait=30' });
    expect(response).toMatchObject({
      statusCode: 200,
      headers: {
        'Content-Location': `${base}/${dog}/barks/${barkOf(dog)}`,
        'Preference-Applied': `wait=${maxWaitSeconds}`,
      },
    });
    expect(response.json()).toMatchObject({ id: barkOf(dog), status: 'cancelled', timestamp: null });
  });

  test('returns 202 if the bark is still pending', async () => {
    const dog = await dogWith('async', 'record');
    const pauses = duringPauses();
    const response = await post('barks', dog, { Prefer: 'wait=10', Accept: 'application/json' });
    expect(response).toMatchObject({
      statusCode: 202,
      headers: { 'Preference-Applied': 'wait=10', 'Retry-After': '1' },
    });
    expect(response.json()).toMatchObject({ status: 'pending' });
    const waitMs = pauses.reduce((sum, pause) => sum + pause, 0);
    expect(waitMs).toBeLessThanOrEqual(10_000);
    expect(waitMs).toBeGreaterThan(9_000);
  });

  test('returns 202 if DynamoDB is unavailable after the acceptance', async () => {
    const dog = await dogWith('async', 'record');
    duringPauses(async () => plan('GetItem', 'fails before', 1_000));
    expect(await post('barks', dog, respondAsync)).toMatchObject({ statusCode: 202, headers: applied });
  });

  test('returns 202 before the timeout of the function if a read of the bark hangs', async () => {
    const dog = await dogWith('async', 'record');
    duringPauses(async () => plan('GetItem', 'hangs'));
    // The service responds with 503 when two seconds are left.
    expect((await post('barks', dog, respondAsync, 4_200)).statusCode).toBe(202);
  });

  test('waits for no more than 8 seconds until the bark is accepted', async () => {
    const dog = await dogWith('async', 'record');
    const { setTimeout } = globalThis;
    const shortened = jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation((work, delayMs) => setTimeout(work, delayMs === 8_000 ? 50 : delayMs));
    plan('TransactWriteItems', 'hangs');
    const began = performance.now();
    expect((await post('barks', dog, respondAsync)).statusCode).toBe(503);
    expect(performance.now() - began).toBeLessThan(2_500);
    shortened.mockRestore();
  });

  test.each(['wait=ten', 'wait=0', 'wait=10; x="'])(
    'makes no further call for Prefer: %s',
    async (Prefer) => {
      const dog = await dogWith('async', 'record');
      const response = await post('barks', dog, { Prefer });
      expect(response.statusCode).toBe(202);
      expect(response.headers).not.toHaveProperty('Preference-Applied');
      expect(calls()).toEqual(['GetItem', 'StartExecution', 'TransactWriteItems']);
    },
  );

  test('does not change the response for a synchronous bark', async () => {
    const dog = await dogWith('sync', 'record');
    const response = await post('barks', dog, { Prefer: 'wait=10' });
    expect(response.statusCode).toBe(201);
    expect(response.headers).not.toHaveProperty('Preference-Applied');
    expect(calls()).toEqual(['GetItem', 'TransactWriteItems']);
  });

  test('returns the outcome of the first bark if the request is repeated with its Idempotency-Key and another wait', async () => {
    const dog = await dogWith('async', 'record');
    const key = { 'Idempotency-Key': '"once"' };
    const first = await post('barks', dog, key);
    duringPauses(() => performBark(dog, started(dog)[0]?.bark ?? '', context()));
    const repeat = await post('barks', dog, { ...key, Prefer: 'wait=10' });
    expect([first.statusCode, repeat.statusCode]).toEqual([202, 201]);
    expect(repeat.headers?.Location).toBe(first.headers?.Location);
  });
});

describe('POST /v1/dogs/{dog_id}/bark with Prefer: wait', () => {
  test('returns 200 with the bark if another client cancels the bark', async () => {
    const dog = await dogWith('async', 'record');
    duringPauses(() => cancelBark(dog, barkOf(dog), context()));
    const response = await post('bark', dog, respondAsync);
    expect(response).toMatchObject({ statusCode: 200, headers: applied });
    expect(response.json()).toMatchObject({ status: 'cancelled' });
  });
});

describe('GET /v1/dogs/{dog_id}/barks/{bark_id} with Prefer: wait', () => {
  async function pendingBark(): Promise<[dog: string, bark: string]> {
    const dog = await dogWith('async', 'record');
    const bark = await acceptBark(dog, context());
    reset();
    return [dog, bark];
  }

  test('returns the bark at once, and applies no preference, if the bark is not pending', async () => {
    const [dog, bark] = await pendingBark();
    await perform(dog);
    reset();
    const response = await get(dog, bark, 'wait=10');
    expect(response.statusCode).toBe(303);
    expect(response.headers).not.toHaveProperty('Preference-Applied');
    expect(calls()).toEqual(['BatchGetItem']);
  });
});
