import { handler as postBarkSchedule } from '../../../../lambdas/api/dogs/bark-schedule/post.ts';
import { readDogView } from '../../../../lambdas/domain/barks/queries.ts';
import { Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import type { RequestContext } from '../../../../lambdas/domain/platform/request-context.ts';
import { createSchedule, deleteSchedule } from '../../../../lambdas/domain/schedules/eventbridge.ts';
import { useDatabase } from '../../../support/database.ts';
import { newDog } from '../../../support/dogs.ts';
import { calls, injectFaults, plan, reset, standing } from '../../../support/faults.ts';
import { invoke } from '../../../support/invoke.ts';

useDatabase();
beforeAll(injectFaults);
beforeEach(reset);

const now = Date.UTC(2026, 10, 21, 12, 0, 0);
const first = now / 1_000 + 600;
const scheduleId = '01M7XTJQRGHZ3MM2X05VM3ARQN';
const schedule = { scheduleId, start: first, frequency: 10 };

function context(): RequestContext {
  return { now, signal: AbortSignal.timeout(8_000) };
}

let dogs = 0;
const newOwner = () => ({ id: `owner-${dogs++}`, incarnation: '01M7XTJQRGHZ3MM2X05VM3ARQP' });

describe('createSchedule', () => {
  test('creates a schedule with one call', async () => {
    const dog = newOwner();
    expect(await createSchedule(dog, schedule, first, context())).toBe(true);
    expect([calls(), standing(dog.id)]).toEqual([['CreateSchedule'], [expect.anything()]]);
  });

  test('creates one schedule when the response to the first attempt is lost', async () => {
    const dog = newOwner();
    plan('CreateSchedule', 'response lost');
    expect(await createSchedule(dog, schedule, first, context())).toBe(true);
    expect(standing(dog.id)).toHaveLength(1);
  });

  test('finds the schedule of the first attempt when EventBridge Scheduler has forgotten the token', async () => {
    const dog = newOwner();
    plan('CreateSchedule', 'response and token lost');
    expect(await createSchedule(dog, schedule, first, context())).toBe(false);
    expect(calls()).toEqual(['CreateSchedule', 'CreateSchedule', 'GetSchedule']);
    expect(standing(dog.id)).toHaveLength(1);
  });

  test('finds a schedule that exists, even if it was created at another time', async () => {
    const dog = newOwner();
    await createSchedule(dog, schedule, first, context());
    const later = { ...context(), now: now + 60_000 };
    expect(await createSchedule(dog, schedule, first + 600, later)).toBe(false);
  });

  test('throws Unavailable when EventBridge Scheduler reports a conflict and the schedule does not exist', async () => {
    const dog = newOwner();
    plan('CreateSchedule', 'concurrent change');
    await expect(createSchedule(dog, schedule, first, context())).rejects.toThrow(Unavailable);
    expect(standing(dog.id)).toEqual([]);
  });

  test('throws Unavailable when the schedule with this name belongs to another incarnation of the dog', async () => {
    const dog = newOwner();
    await createSchedule({ ...dog, incarnation: 'another' }, schedule, first, context());
    await expect(createSchedule(dog, schedule, first, context())).rejects.toThrow(Unavailable);
  });

  test.each(['throttled', 'fails before'] as const)(
    'throws Unavailable when it cannot confirm that the schedule exists: %s',
    async (fault) => {
      const dog = newOwner();
      await createSchedule(dog, schedule, first, context());
      plan('GetSchedule', fault, 99);
      await expect(createSchedule(dog, schedule, first, context())).rejects.toThrow(Unavailable);
      await deleteSchedule(dog.id, scheduleId, context());
    },
  );
});

test('POST bark-schedule returns 503 and sets nothing when EventBridge Scheduler reports a conflict', async () => {
  const dog = await newDog('sync', ['record']);
  const body = JSON.stringify({ token: 1, next: Math.floor(Date.now() / 1_000) + 600, frequency: 10 });
  const post = () => invoke(postBarkSchedule, 'PostBarkSchedule', { pathParameters: { dog_id: dog }, body });
  plan('CreateSchedule', 'concurrent change');
  const response = await post();
  expect(response).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
  expect([(await readDogView(dog, context())).next, standing(dog)]).toEqual([null, []]);
  expect((await post()).statusCode).toBe(205);
  expect(standing(dog)).toHaveLength(1);
});
