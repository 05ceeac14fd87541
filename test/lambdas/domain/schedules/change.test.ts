import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { readSchedule } from '../../../../lambdas/domain/barks/queries.ts';
import type { Precondition } from '../../../../lambdas/domain/dogs/precondition.ts';
import { readDog } from '../../../../lambdas/domain/dogs/read.ts';
import { PreconditionFailed, StateMismatch } from '../../../../lambdas/domain/platform/errors.ts';
import { endSchedule, postSchedule } from '../../../../lambdas/domain/schedules/change.ts';
import { at, newContext } from '../../../support/context.ts';
import { newDog } from '../../../support/dogs.ts';
import { calls, plan, reset, standing, standingOf, useFunctions } from '../../../support/faults.ts';
import { fire, patch, post, shown } from '../../../support/schedules.ts';

useFunctions();

const hour = 3600;
const fromNow = { barks: { next: 0, frequency: 10 } };
const noSchedule = { barkCount: 0, previous: [], next: null, frequency: null };

async function sleepingDog(): Promise<string> {
  const dog = await newDog('sync', ['record']);
  reset();
  return dog;
}

/** Returns the precondition that the dog has its current state. */
async function matchOf(dog: string): Promise<{ precondition: Precondition }> {
  return { precondition: { match: [await readDog(dog, newContext())] } };
}

describe('A schedule that begins now', () => {
  test.each([
    ['PATCH', (dog: string) => patch(dog, fromNow)],
    ['POST', (dog: string) => post(dog, 1)],
  ])('that %s sets makes the dog bark at once, and continues in EventBridge Scheduler', async (_, set) => {
    const dog = await sleepingDog();
    expect(await set(dog)).toBe('changed');
    expect(calls()).toEqual(['BatchGetItem', 'CreateSchedule', 'TransactWriteItems']);
    expect(await shown(dog)).toEqual({ barkCount: 1, previous: [at], next: at + 600, frequency: 10 });
    expect(standing(dog)).toEqual([
      expect.objectContaining({
        GroupName: 'dogs-test',
        ScheduleExpression: 'rate(10 minutes)',
        StartDate: at + 600,
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: {
          Arn: process.env.SCHEDULE_TARGET_ARN,
          RoleArn: process.env.SCHEDULE_ROLE_ARN,
          DeadLetterConfig: { Arn: process.env.SCHEDULE_DLQ_ARN },
          RetryPolicy: { MaximumEventAgeInSeconds: 3600, MaximumRetryAttempts: 185 },
          Input: expect.stringContaining('<aws.scheduler.scheduled-time>'),
        },
      }),
    ]);
  });
});

describe('A schedule that begins now, after a bark of a function whose clock was ahead,', () => {
  test('is not delayed, and does not move back the time of the last bark', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, { frequency: null }, newContext({ after: hour }));
    await post(dog, 2);
    expect((await readSchedule(dog, newContext())).shown).toEqual({ last: at + hour, next: at + 600 });
  });
});

describe('A schedule that begins later', () => {
  test('makes the dog bark when EventBridge Scheduler delivers the occurrence', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, { next: at + 90, frequency: 1 });
    expect(await shown(dog)).toEqual({ ...noSchedule, next: at + 90, frequency: 1 });
    expect(standing(dog)).toMatchObject([{ ScheduleExpression: 'rate(1 minute)', StartDate: at + 90 }]);
  });

  test('has a start in EventBridge Scheduler that may be later than its first occurrence, and keeps the times of its occurrences', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, { next: at + 3, frequency: 1 });
    const schedule = standingOf(dog);
    expect(schedule.StartDate).toBe(at + 15);
    await fire(schedule, newContext({ after: 15 }));
    await fire(schedule, newContext({ after: 75 }), 1);
    expect(await shown(dog, 75)).toMatchObject({ previous: [at + 3, at + 63], next: at + 123 });
  });

  test('and has only one occurrence is deleted by EventBridge Scheduler itself', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, { next: at + hour, frequency: null });
    expect(standing(dog)).toMatchObject([
      { ScheduleExpression: 'at(2026-11-21T13:00:00)', ActionAfterCompletion: 'DELETE' },
    ]);
  });
});

describe('A PATCH', () => {
  test.each([
    ['in one second', [0, 0, 0], at],
    ['with one date, half an hour apart', [0, 1800, hour], 0],
  ])('with If-Match is applied again after the change of another client: %s', async (_, times, since) => {
    const dog = await sleepingDog();
    const body = { barks: { next: at + 7200, frequency: 10 } };
    const bodies = [body, { barks: null }, body];
    for (const [i, after] of times.entries()) {
      const options = { since, ...(await matchOf(dog)) };
      expect(await patch(dog, bodies[i] ?? {}, newContext({ after }), options)).toBe('changed');
    }
    expect(await shown(dog)).toMatchObject({ next: at + 7200 });
  });

  test('that requires a state is refused if the dog barks at the last moment', async () => {
    const dog = await sleepingDog();
    const options = await matchOf(dog);
    plan('CreateSchedule', () => createBark(dog, {}, newContext()));
    const patched = patch(dog, { barks: { next: at + 600 } }, newContext(), options);
    await expect(patched).rejects.toThrow(PreconditionFailed);
    expect(standing(dog)).toEqual([]);
  });

  test('with If-Match that would change nothing is refused if the dog barks before it is recorded', async () => {
    const dog = await sleepingDog();
    const options = await matchOf(dog);
    plan('TransactWriteItems', () => createBark(dog, {}, newContext()));
    await expect(patch(dog, { barks: null }, newContext(), options)).rejects.toThrow(PreconditionFailed);
  });
});

describe('a precondition', () => {
  const set = (dog: string, precondition: Precondition, token = 7) =>
    postSchedule(dog, { token, next: at + 600, frequency: 10, precondition }, newContext());
  const end = (dog: string, precondition: Precondition) => endSchedule(dog, newContext(), precondition);
  const stateOf = async (dog: string) => [await readDog(dog, newContext())];

  async function scheduledDog(): Promise<string> {
    const dog = await sleepingDog();
    await set(dog, {}, 1);
    reset();
    return dog;
  }

  test.each<[string, typeof set | typeof end, string]>([
    ['POST', set, 'TransactWriteItems'],
    ['DELETE', end, 'UpdateItem'],
  ])(
    'of a %s is checked in the write: it is refused if the dog barks at the last moment',
    async (_, change, call) => {
      const dog = await scheduledDog();
      const match = await stateOf(dog);
      plan(call, () => createBark(dog, {}, newContext()));
      await expect(change(dog, { match })).rejects.toThrow(StateMismatch);
      expect(await readDog(dog, newContext())).toMatchObject({
        version: Number(match[0]?.version) + 1,
        schedule: match[0]?.schedule,
      });
      await change(dog, { match: await stateOf(dog) });
    },
  );
});
