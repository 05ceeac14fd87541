import type { APIGatewayProxyResult } from 'aws-lambda';
import type { DogSettings, Effect } from '../../../lambdas/domain/dogs/dog.ts';
import { readDog } from '../../../lambdas/domain/dogs/read.ts';
import { newContext, now as start } from '../../support/context.ts';
import { fillSuspensions, newDog, replaceSettings, settingsOf } from '../../support/dogs.ts';
import { calls, Process, reset, useFunctions } from '../../support/faults.ts';
import { invokeRoute } from '../../support/invoke-route.ts';
import { setLimits } from '../../support/limits.ts';

useFunctions();

let now: number;

beforeEach(() => {
  now = start;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => setLimits(undefined));

type Fields = Record<string, string>;

/** A request that its header fields or its body identify, so that the service recognizes a repeat. */
interface Repeatable {
  readonly route: string;
  readonly handling?: DogSettings['barkHandling'];
  readonly effects?: Effect[];
  readonly headers?: Fields;
  readonly body?: object;
  /** The statuses of the first response and of the response to a repeat. */
  readonly statuses: readonly [number, number];
}

const keyed = { 'Idempotency-Key': '"once"' };
const dated = { 'If-Unmodified-Since': new Date(start).toUTCString() };
const at = start / 1000;
const mailed: Effect[] = ['emailDog', 'emailOwner', 'record'];

const barks: Record<string, Repeatable> = Object.fromEntries(
  ['PostBarks', 'PostLastBark'].flatMap((route) => [
    [`${route} with a key`, { route, headers: keyed, statuses: [201, 201] }],
    [`${route} with a key and mail`, { route, headers: keyed, effects: mailed, statuses: [201, 201] }],
    [`${route} with a key, asynchronous`, { route, headers: keyed, handling: 'async', statuses: [202, 202] }],
  ]),
);

const schedules: Record<string, Repeatable> = {
  'PostBarkSchedule with a token': {
    route: 'PostBarkSchedule',
    effects: mailed,
    body: { token: 7, next: at - 30, frequency: 10 },
    statuses: [205, 205],
  },
  'PatchDog with a date': {
    route: 'PatchDog',
    effects: mailed,
    headers: dated,
    body: { barks: { next: at - 30, frequency: 10 } },
    statuses: [205, 204],
  },
  'PatchDog that ends no schedule': {
    route: 'PatchDog',
    headers: dated,
    body: { barks: null },
    statuses: [204, 204],
  },
};

function send(dog: string, { route, headers = {}, body }: Repeatable, more: Fields = {}) {
  return invokeRoute(route, {
    pathParameters: { dog_id: dog },
    headers: { ...headers, ...more },
    body: body ? JSON.stringify(body) : null,
  });
}

/** What could refuse a new request, but must not refuse a repeat. */
const obstacles: Record<string, (dog: string) => Promise<unknown>> = {
  'another bark': (dog) => invokeRoute('PostBarks', { pathParameters: { dog_id: dog } }),
  'other settings': (dog) => replaceSettings(dog, { ...settingsOf('count'), barkHandling: 'async' }),
  'a new schedule and its end': async (dog) => {
    const request = { pathParameters: { dog_id: dog } };
    await invokeRoute('PostBarkSchedule', { ...request, body: JSON.stringify({ token: 8, next: 0 }) });
    await invokeRoute('DeleteBarkSchedule', request);
  },
  'a reached limit': async () =>
    setLimits({ barksPerDog: 1, barksPerUser: 1, mailsPerDog: 1, mailsPerUser: 1 }),
  'the suspension of every address': (dog) => fillSuspensions(dog),
  'ten hours': async () => {
    now += 10 * 3_600_000;
  },
};
obstacles['all of these'] = async (dog) => {
  for (const [name, act] of Object.entries(obstacles)) if (name !== 'all of these') await act(dog);
};

const anyTag = '"01ARZ3NDEKTSV4RRFFQ69G5FAV.1.abcdefghijkl"';
const epoch = 'Thu, 01 Jan 1970 00:00:00 GMT';

/** Preconditions that are false. */
const conditions: readonly Fields[] = [
  { 'If-None-Match': '*' },
  { 'If-Match': anyTag },
  { 'If-Unmodified-Since': epoch },
  { 'If-Match': anyTag, 'If-None-Match': '*', 'If-Unmodified-Since': epoch },
];

/** With another If-Match or date, a PATCH is another request. */
const conditionsOf = ({ route }: Repeatable) => (route === 'PatchDog' ? conditions.slice(0, 1) : conditions);

/** Returns the parts of a response that a repeat must have too. */
function essence({ statusCode, headers = {}, body }: APIGatewayProxyResult) {
  return { statusCode, Location: headers.Location, Link: headers.Link, body };
}

/** Sends a request twice, and expects that the repeat has the same response and no effect. */
async function expectRepeat(
  one: Repeatable,
  {
    between = async () => {},
    first = {},
    repeat = first,
  }: {
    between?: (dog: string) => Promise<unknown>;
    first?: Fields;
    repeat?: Fields;
  },
) {
  const dog = await newDog(one.handling ?? 'sync', one.effects ?? ['record']);
  const [status, again] = one.statuses;
  const response = await send(dog, one, first);
  expect(response.statusCode).toBe(status);
  now += 2_000;
  await between(dog);
  const before = await readDog(dog, newContext());
  reset();
  const repeated = await send(dog, one, repeat);
  expect(essence(repeated)).toEqual({ ...essence(response), statusCode: again });
  expect(await readDog(dog, newContext())).toEqual(before);
  for (const call of ['SendRawEmail', 'CreateSchedule']) expect(calls()).not.toContain(call);
}

describe.each(Object.entries({ ...barks, ...schedules }))('A repeat of %s', (_, one) => {
  test.each(Object.entries(obstacles))('is recognized after %s', async (__, between) => {
    await expectRepeat(one, { between });
  });

  test.each(conditionsOf(one))('is recognized with %j', async (repeat) => {
    await expectRepeat(one, { repeat });
  });
});

const bark: Repeatable = { route: 'PostLastBark', headers: keyed, statuses: [201, 201] };

test('A repeat of POST to bark with If-None-Match: * returns 201 although the dog has barked since', async () => {
  await expectRepeat(bark, { first: { 'If-None-Match': '*' } });
});

test('Another request with the same key is refused because of its key, not because of its precondition', async () => {
  const dog = await newDog('sync', ['record']);
  await send(dog, bark);
  const other = { ...bark, body: { message: 'Wuff' } };
  expect((await send(dog, other, { 'If-None-Match': '*' })).statusCode).toBe(422);
});

test('A repeat whose precondition is false returns 409 while the first request may be in progress', async () => {
  const dog = await newDog('sync', ['emailDog', 'record']);
  await send(dog, { ...bark, headers: {} });
  const first = new Process();
  first.plan('SendRawEmail', 'dies');
  await first.run(() => send(dog, bark));
  expect((await send(dog, bark, { 'If-None-Match': '*' })).statusCode).toBe(409);
});
