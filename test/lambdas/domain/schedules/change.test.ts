import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import type { Precondition } from '../../../../lambdas/domain/dogs/precondition.ts';
import { StateMismatch } from '../../../../lambdas/domain/dogs/precondition.ts';
import { readDog } from '../../../../lambdas/domain/dogs/read.ts';
import { endSchedule, postSchedule } from '../../../../lambdas/domain/schedules/change.ts';
import { at, newContext } from '../../../support/context.ts';
import { newDog } from '../../../support/dogs.ts';
import { calls, plan, reset, standing, standingOf, useFunctions } from '../../../support/faults.ts';
import { fire, patch, post, shown } from '../../../support/schedules.ts';

useFunctions();

const hour = 3600;

async function sleepingDog(): Promise<string> {
  const dog = await newDog('sync', ['record']);
  reset();
  return dog;
}

test('A schedule that begins now continues in EventBridge Scheduler', async () => {
  const dog = await sleepingDog();
  expect(await post(dog, 1)).toBe('changed');
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

describe('A schedule that begins later', () => {
  test('has a start in EventBridge Scheduler that may be later than its first occurrence, and keeps the times of its occurrences', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, { next: at + 3, frequency: 1 });
    const schedule = standingOf(dog);
    expect(schedule).toMatchObject({ ScheduleExpression: 'rate(1 minute)', StartDate: at + 15 });
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

test('A change without a precondition does not start again if the dog barks in the meantime', async () => {
  const dog = await sleepingDog();
  plan('TransactWriteItems', () => createBark(dog, {}, newContext()));
  await post(dog, 1);
  expect(calls().filter((call) => call === 'CreateSchedule')).toHaveLength(1);
});

test('A PATCH with If-Match that would change nothing is refused if the dog barks before it is recorded', async () => {
  const dog = await sleepingDog();
  const precondition = { match: [await readDog(dog, newContext())] };
  plan('TransactWriteItems', () => createBark(dog, {}, newContext()));
  const patched = patch(dog, { barks: null }, newContext(), { precondition });
  await expect(patched).rejects.toThrow(StateMismatch);
});

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
  'The precondition of a %s is checked in the write: it fails if the dog barks at the last moment',
  async (_, change, call) => {
    const dog = await scheduledDog();
    const match = await stateOf(dog);
    plan(call, () => createBark(dog, {}, newContext()));
    await expect(change(dog, { match })).rejects.toThrow(StateMismatch);
    expect(await readDog(dog, newContext())).toMatchObject({
      version: Number(match[0]?.version) + 1,
      schedule: match[0]?.schedule,
    });
    expect(standing(dog)).toHaveLength(1);
    await change(dog, { match: await stateOf(dog) });
  },
);
