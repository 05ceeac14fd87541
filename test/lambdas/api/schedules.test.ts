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
import { BarkScheduleResource, DogDocument, LastBarkResource } from '../../../lambdas/http/schemas.ts';
import { useDatabase } from '../../support/database.ts';
import { newDog } from '../../support/dogs.ts';
import { injectFaults, plan, reset, standing } from '../../support/faults.ts';
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

  test('returns 403 for a body that is nested more deeply than the call stack allows', async () => {
    const dog = await sleepingDog();
    const nested = `{"barks":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    expect(await patch(dog, nested)).toMatchObject({ statusCode: 403 });
  });

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
    ['application/merge-patch+json', 205],
    ['application/json; charset=utf-8', 205],
    ['Application/JSON ;charset=utf-8', 205],
    ['application/json-patch+json', 403],
    ['text/plain', 403],
    ['', 403],
  ])('with the Content-Type "%s" returns %i', async (type, status) => {
    const dog = await sleepingDog();
    const response = await patch(dog, undefined, { 'Content-Type': type });
    expect(response.statusCode).toBe(status);
    if (status === 403)
      expect(response.headers).toMatchObject({
        'Accept-Patch': 'application/json, application/merge-patch+json',
      });
  });

  const json = { 'Content-Type': 'application/json' };
  test.each<[string, unknown, Record<string, string>, RegExp]>([
    [
      'no date',
      {},
      { 'If-Unmodified-Since': '' },
      /is not an HTTP date.*for example: Sat, 21 Nov 2026 12:30:15 GMT/,
    ],
    ['a date in ISO 8601', {}, { 'If-Unmodified-Since': '2026-11-21T12:30:15Z' }, /is not an HTTP date/],
    [
      'a date that does not exist',
      {},
      { 'If-Unmodified-Since': 'Tue, 31 Feb 2026 12:00:00 GMT' },
      /not an HTTP date/,
    ],
    [
      'a time that does not exist',
      {},
      { 'If-Unmodified-Since': 'Sat, 21 Nov 2026 25:00:00 GMT' },
      /not an HTTP date/,
    ],
    ['two dates', {}, { 'If-Unmodified-Since': `${httpDate(now)}, ${httpDate(now)}` }, /not an HTTP date/],
    [
      'a date older than the dog',
      {},
      { 'If-Unmodified-Since': httpDate(now - 86_400_000) },
      /changed the dog at/,
    ],
    [
      'a date in the future',
      {},
      { 'If-Unmodified-Since': httpDate(now + 301_000) },
      /^The If-Unmodified-Since date of this request \(Sat, 21 Nov 2026 12:35:16 GMT\) is more than five minutes ahead of the service's clock \(Sat, 21 Nov 2026 12:30:15 GMT\)\. Send the Date or the Last-Modified of your last GET\.$/,
    ],
    ['an If-Match that fails', {}, { 'If-Match': '"other"' }, /does not meet the precondition in If-Match/],
    ['an invalid If-Match', {}, { 'If-Match': 'other' }, /If-Match header must be/],
    ['no body', '', json, /^The request body is empty\. Send a JSON object\.$/],
    ['invalid JSON', '{"barks":', json, /not valid JSON: unexpected end of input at line 1, column 10\.$/],
    [
      'a byte order mark before the JSON',
      '\ufeff{"barks":null}',
      json,
      /unexpected U\+FEFF at line 1, column 1\.$/,
    ],
    ['an array', '[]', json, /it must be a JSON object/],
    ['an array for barks', { barks: [] }, json, /\/barks must be a JSON object/],
    ['a number', '7', json, /it must be a JSON object/],
    ['null', 'null', json, /it must be a JSON object/],
    ['an unknown field', { bark: {} }, json, /\/bark is not a known field/],
    ['an unknown member', { barks: { nxt: 0 } }, json, /\/barks\/nxt is not a known field/],
    ['a hidden member', '{"barks":{"__proto__":{}}}', json, /\/barks\/__proto__ is not a known field/],
    [
      'a field of PUT',
      { email: 'rex@example.com' },
      json,
      /\/email cannot be changed with PATCH; change it with PUT/,
    ],
    ['another id', { id: 'other' }, json, /\/id must be absent or "dog-\d+", the ID in the path/],
    ['a frequency alone', { barks: { frequency: 10 } }, json, /\/barks\/next is required/],
    ['null for next', { barks: { next: null } }, json, /send \{"barks": null\} to end the schedule/],
    ['a time in the past', { barks: { next: at - 61 } }, json, /must be at most 60 seconds in the past/],
    ['milliseconds', { barks: { next: now } }, json, /send seconds, not milliseconds/],
    ['a frequency that is too high', { barks: { next: 0, frequency: 525_601 } }, json, /from 1 to 525600/],
    ['half a minute', { barks: { next: 0, frequency: 0.5 } }, json, /whole number of minutes/],
  ])('returns 403 with the reason for %s, and changes nothing', async (_, body, headers, reason) => {
    const dog = await sleepingDog();
    const before = await stateOf(dog);
    const response = await patch(dog, body, headers);
    expect(response).toMatchObject({
      statusCode: 403,
      headers: { 'Content-Type': 'application/problem+json' },
    });
    expect(response.json()).toMatchObject({
      status: 403,
      detail: expect.stringMatching(reason),
    });
    expect(await stateOf(dog)).toEqual(before);
    expect(standing(dog)).toEqual([]);
  });

  test('returns 403 without an If-Unmodified-Since header', async () => {
    const dog = await sleepingDog();
    const response = await invoke(patchDog, 'PatchDog', {
      pathParameters: { dog_id: dog },
      multiValueHeaders: {},
    });
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({
      detail: expect.stringContaining('If-Unmodified-Since header is missing'),
    });
  });

  test('names each invalid field', async () => {
    const dog = await sleepingDog();
    const response = await patch(dog, { owner: 'me', barks: { next: -1, frequency: 'often' } });
    expect(response.json()).toMatchObject({
      errors: [{ pointer: '/barks/next' }, { pointer: '/barks/frequency' }, { pointer: '/owner' }],
    });
  });

  test('returns 403 with both dates if the dog has changed since the date of the request', async () => {
    const dog = await sleepingDog();
    await post(dog, { token: 1, next: 0 });
    const response = await patch(dog, undefined, { 'If-Unmodified-Since': httpDate(now - 1000) });
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({
      detail:
        'A client changed the dog at Sat, 21 Nov 2026 12:30:15 GMT. This is later than the If-Unmodified-Since date of this request (Sat, 21 Nov 2026 12:30:14 GMT). GET the dog again. If you still want the change, send the patch with the Last-Modified of that response.',
    });
  });

  test('returns 204 to a repeat, even with a wrong Content-Type', async () => {
    const dog = await sleepingDog();
    await patch(dog);
    expect(await patch(dog, undefined, { 'Content-Type': 'text/plain' })).toMatchObject({ statusCode: 204 });
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['an invalid If-Match', { 'If-Match': 'other' }, /If-Match header must be/],
    ['an If-Match that fails', { 'If-Match': '"other"' }, /not valid JSON/],
    [
      'a date before the last change',
      { 'If-Unmodified-Since': httpDate(now - 86_400_000) },
      /not valid JSON/,
    ],
    ['a wrong Content-Type', { 'Content-Type': 'text/plain' }, /Content-Type: application\/json or/],
  ])('returns 403 with the first error for an invalid body and %s', async (_, headers, detail) => {
    const dog = await sleepingDog();
    const response = await patch(dog, '{"barks":', headers);
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ detail: expect.stringMatching(detail) });
  });

  test('returns 404 for an unknown dog, and 413 for a body over 64 KiB', async () => {
    expect(await patch('unknown', 'no JSON')).toMatchObject({ statusCode: 404 });
    expect(await patch('unknown', ' '.repeat(65_537))).toMatchObject({ statusCode: 413 });
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
    plan('CreateSchedule', 'throttled', 99);
    expect(await patch(dog)).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
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

  test.each<[unknown, string[]]>([
    [{}, ['/token', '/next']],
    [{ token: '1', next: 'now', frequency: 'often', when: 1 }, ['/token', '/next', '/frequency', '/when']],
    [{ token: 1, next: null }, ['/next']],
    [{ token: 1, next: at - 61 }, ['/next']],
    [{ token: 1, next: now }, ['/next']],
    ['{"token":1e999,"next":0}', ['/token']],
  ])('returns 422 with the invalid fields to a POST of %j', async (body, pointers) => {
    const dog = await sleepingDog();
    const response = await post(dog, body);
    expect(response.statusCode).toBe(422);
    const { errors } = response.json() as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(standing(dog)).toEqual([]);
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
