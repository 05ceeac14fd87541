import * as v from 'valibot';
import { handler as deleteLastBark } from '../../../lambdas/api/dogs/bark/delete.ts';
import { handler as getLastBark } from '../../../lambdas/api/dogs/bark/get.ts';
import { handler as postLastBark } from '../../../lambdas/api/dogs/bark/post.ts';
import { handler as deleteSchedule } from '../../../lambdas/api/dogs/bark-schedule/delete.ts';
import { handler as getSchedule } from '../../../lambdas/api/dogs/bark-schedule/get.ts';
import { handler as postSchedule } from '../../../lambdas/api/dogs/bark-schedule/post.ts';
import { handler as getDog } from '../../../lambdas/api/dogs/get.ts';
import { handler as patchDog } from '../../../lambdas/api/dogs/patch.ts';
import { readDogView } from '../../../lambdas/domain/barks/queries.ts';
import type { DogSettings } from '../../../lambdas/domain/dogs/dog.ts';
import { BarkScheduleResource, DogDocument, LastBarkResource } from '../../../openapi/representations.ts';
import { useDatabase } from '../../support/database.ts';
import { newDog } from '../../support/dogs.ts';
import { injectFaults, plan, reset } from '../../support/faults.ts';
import { invoke } from '../../support/invoke.ts';

useDatabase();
beforeAll(injectFaults);

const now = Date.UTC(2026, 10, 21, 12, 30, 15);
const at = now / 1000;
const base = 'https://abc123defg.execute-api.us-east-1.amazonaws.com/prod';

beforeEach(() => {
  reset();
  jest.spyOn(Date, 'now').mockReturnValue(now);
  jest.spyOn(console, 'error').mockImplementation(() => {});
});

async function sleepingDog(...effects: DogSettings['barkEffects']): Promise<string> {
  return newDog('sync', effects.length > 0 ? effects : ['record']);
}

const httpDate = (time: number) => new Date(time).toUTCString();

/** Sends the sample event of a route to a dog, with the given headers and body. */
function send(
  handler: unknown,
  name: string,
  dog: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
) {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  return invoke(handler, name, {
    pathParameters: { dog_id: dog },
    headers,
    ...(text !== undefined && { body: text }),
  });
}

function patch(dog: string, body: unknown = { barks: { next: 0, frequency: 10 } }, headers = {}) {
  const since = { 'If-Unmodified-Since': httpDate(now) };
  return send(patchDog, 'PatchDog', dog, { body, headers: { ...since, ...headers } });
}

const post = (dog: string, body?: unknown) =>
  send(postSchedule, 'PostBarkSchedule', dog, body === undefined ? {} : { body });

/** Returns the visible state of a dog. If two states are equal, the dog has not changed in between. */
async function stateOf(dog: string) {
  return readDogView(dog, { now: Date.now(), signal: AbortSignal.timeout(5_000) });
}

describe('PATCH /v1/dogs/{dog_id}', () => {
  test('returns 205 without a body, and 204 when it is repeated', async () => {
    const dog = await sleepingDog();
    const first = await patch(dog);
    expect(first).toMatchObject({ statusCode: 205, body: '' });
    expect(first.headers).not.toHaveProperty('Content-Type');
    expect(await patch(dog)).toMatchObject({ statusCode: 204, body: '' });
    const shown = await send(getDog, 'GetDog', dog);
    expect(v.is(DogDocument, shown.json())).toBe(true);
    expect(shown.json()).toMatchObject({
      barkCount: 1,
      barks: { previous: [at], next: at + 600, frequency: 10 },
    });
  });

  test.each([
    ['IMF-fixdate', 'Sat, 21 Nov 2026 12:30:15 GMT'],
    ['RFC 850', 'Saturday, 21-Nov-26 12:30:15 GMT'],
    ['asctime', 'Sat Nov 21 12:30:15 2026'],
  ])('treats the same date as the same request in the format %s', async (_, date) => {
    const dog = await sleepingDog();
    await patch(dog);
    expect(await patch(dog, undefined, { 'If-Unmodified-Since': date })).toMatchObject({ statusCode: 204 });
  });

  test.each(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])(
    'reads a date of RFC 850 on a %s',
    async (day) => {
      const dog = await sleepingDog();
      const date = { 'If-Unmodified-Since': `${day}, 21-Nov-26 12:30:15 GMT` };
      expect(await patch(dog, undefined, date)).toMatchObject({ statusCode: 205 });
    },
  );

  test('accepts a date that is five minutes ahead', async () => {
    const dog = await sleepingDog();
    const ahead = { 'If-Unmodified-Since': httpDate(now + 300_000) };
    expect(await patch(dog, undefined, ahead)).toMatchObject({ statusCode: 205 });
  });

  test('returns 204 when it changes nothing', async () => {
    const dog = await sleepingDog();
    expect(await patch(dog, {})).toMatchObject({ statusCode: 204 });
    expect(await patch(dog, { barks: null })).toMatchObject({ statusCode: 204 });
    expect(await patch(dog, { barks: { previous: [1] } })).toMatchObject({ statusCode: 204 });
  });

  test('accepts the read-only fields that GET returns, together with a schedule', async () => {
    const dog = await sleepingDog();
    const body = { id: dog, barkCount: 0, barking: false, barks: { previous: [], next: 0 } };
    expect(await patch(dog, body)).toMatchObject({ statusCode: 205 });
  });

  test.each([
    'application/merge-patch+json',
    'application/json; charset=utf-8',
    'Application/JSON ;charset=utf-8',
  ])('accepts the Content-Type %s', async (type) => {
    const dog = await sleepingDog();
    expect(await patch(dog, undefined, { 'Content-Type': type })).toMatchObject({ statusCode: 205 });
  });

  test('returns 403 for a date that is five minutes and one second ahead', async () => {
    const dog = await sleepingDog();
    const ahead = { 'If-Unmodified-Since': httpDate(now + 301_000) };
    expect(await patch(dog, undefined, ahead)).toMatchObject({ statusCode: 403 });
  });

  test('returns 205 for a patch that it refused before the dog had a schedule', async () => {
    const dog = await sleepingDog();
    const frequency = { barks: { frequency: 20 } };
    expect(await patch(dog, frequency)).toMatchObject({ statusCode: 403 });
    await post(dog);
    expect(await patch(dog, frequency)).toMatchObject({ statusCode: 205 });
  });

  test('returns 403 if the dog has changed one second after the date of the request', async () => {
    const dog = await sleepingDog();
    await post(dog, { token: 1, next: 0 });
    const before = { 'If-Unmodified-Since': httpDate(now - 1000) };
    expect(await patch(dog, undefined, before)).toMatchObject({ statusCode: 403 });
  });

  test('returns 204 to a repeat, even with a wrong Content-Type', async () => {
    const dog = await sleepingDog();
    await patch(dog);
    expect(await patch(dog, undefined, { 'Content-Type': 'text/plain' })).toMatchObject({ statusCode: 204 });
  });

  test('returns 403 if EventBridge Scheduler refuses the schedule, and 503 if it does not respond', async () => {
    const dog = await sleepingDog();
    plan('CreateSchedule', 'refused');
    const refused = await patch(dog);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({
      detail: 'Nothing was changed, because EventBridge Scheduler refused the schedule: ValidationException',
    });
    reset();
    // The delay between two attempts of the SDK is random.
    const random = jest.spyOn(Math, 'random').mockReturnValue(0);
    plan('CreateSchedule', 'throttled', 99);
    const unavailable = await patch(dog);
    random.mockRestore();
    expect(unavailable).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
    expect((await stateOf(dog)).next).toBeNull();
  });
});

describe('/v1/dogs/{dog_id}/bark-schedule', () => {
  test('returns 205 without a body to a POST and to its repeat', async () => {
    const dog = await sleepingDog();
    for (let i = 0; i < 2; i++) expect(await post(dog)).toMatchObject({ statusCode: 205, body: '' });
    const shown = await send(getSchedule, 'GetBarkSchedule', dog);
    expect(shown.statusCode).toBe(200);
    expect(v.is(BarkScheduleResource, shown.json())).toBe(true);
    expect(shown.json()).toEqual({ last: at, next: at + 600 });
  });

  test('returns 422 to a POST that reuses a token for another schedule', async () => {
    const dog = await sleepingDog();
    await post(dog);
    const response = await post(dog, { token: 42, next: 0, frequency: 11 });
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({
      errors: [{ pointer: '/token', detail: expect.stringContaining('was already used') }],
    });
  });

  test('returns 502 to a POST if EventBridge Scheduler refuses the schedule', async () => {
    const dog = await sleepingDog();
    plan('CreateSchedule', 'refused');
    expect(await post(dog)).toMatchObject({ statusCode: 502 });
  });

  test('returns 204 to a DELETE and to its repeat, and 404 if the dog never had a schedule', async () => {
    const dog = await sleepingDog();
    const end = () => send(deleteSchedule, 'DeleteBarkSchedule', dog);
    expect(await end()).toMatchObject({ statusCode: 404 });
    expect(await send(getSchedule, 'GetBarkSchedule', dog)).toMatchObject({ statusCode: 404 });
    await post(dog);
    for (let i = 0; i < 2; i++) expect(await end()).toMatchObject({ statusCode: 204, body: '' });
    expect((await send(getSchedule, 'GetBarkSchedule', dog)).json()).toEqual({ last: at, next: null });
  });
});

describe('/v1/dogs/{dog_id}/bark', () => {
  const bark = (dog: string, headers = {}) => send(postLastBark, 'PostLastBark', dog, { headers });

  test('returns 201 to a POST, with its URL and the URL of the recorded bark', async () => {
    const dog = await sleepingDog();
    expect(await send(getLastBark, 'GetLastBark', dog)).toMatchObject({ statusCode: 404 });
    const made = await bark(dog);
    const Link = expect.stringMatching(`^<${base}/v1/dogs/${dog}/barks/s[0-9A-Z]{26}>; rel="bookmark"$`);
    expect(made).toMatchObject({
      statusCode: 201,
      headers: { Location: `${base}/v1/dogs/${dog}/bark`, Link },
    });
    const shown = await send(getLastBark, 'GetLastBark', dog);
    expect(shown).toMatchObject({ statusCode: 200, headers: { Link: made.headers?.Link } });
    expect(v.is(LastBarkResource, shown.json())).toBe(true);
    expect([made.json(), shown.json()]).toEqual([{ timestamp: at }, { timestamp: at }]);
  });

  test.each<[DogSettings['barkEffects'], number]>([
    [['emailDog'], 0],
    [['count'], 1],
  ])(
    'adds a bark with the effects %j to the history, without a resource in the list of barks',
    async (effects, barkCount) => {
      const dog = await sleepingDog(...effects);
      const made = await bark(dog);
      expect(made.statusCode).toBe(201);
      expect(made.headers).not.toHaveProperty('Link');
      expect((await send(getLastBark, 'GetLastBark', dog)).json()).toEqual({ timestamp: at });
      expect(await stateOf(dog)).toMatchObject({ dog: { barkCount }, previous: [at] });
    },
  );

  test('returns 202 to a POST if the client prefers an asynchronous bark', async () => {
    const dog = await sleepingDog();
    const accepted = await bark(dog, { Prefer: 'respond-async' });
    expect(accepted).toMatchObject({
      statusCode: 202,
      headers: {
        Location: expect.stringMatching(`^${base}/v1/dogs/${dog}/barks/a`),
        'Preference-Applied': 'respond-async',
      },
    });
  });

  test('returns 204 to a DELETE and changes nothing if the dog exists', async () => {
    const dog = await sleepingDog();
    await bark(dog);
    const before = await stateOf(dog);
    expect(await send(deleteLastBark, 'DeleteLastBark', dog)).toMatchObject({ statusCode: 204 });
    expect(await stateOf(dog)).toEqual(before);
    expect(await send(deleteLastBark, 'DeleteLastBark', 'unknown')).toMatchObject({ statusCode: 404 });
  });
});
