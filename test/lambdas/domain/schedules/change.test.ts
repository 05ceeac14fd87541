import { at, newContext } from '../../../support/context.ts';
import { newDog } from '../../../support/dogs.ts';
import { calls, standing, standingOf, useFunctions } from '../../../support/faults.ts';
import { fire, patch, post, shown } from '../../../support/schedules.ts';

useFunctions();

const hour = 3600;
const fromNow = { barks: { next: 0, frequency: 10 } };
describe('A schedule that begins now', () => {
  test.each([
    ['PATCH', (dog: string) => patch(dog, fromNow)],
    ['POST', (dog: string) => post(dog, 1)],
  ])('that %s sets makes the dog bark at once, and continues in EventBridge Scheduler', async (_, set) => {
    const dog = await newDog('sync', ['record']);
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

describe('A schedule that begins later', () => {
  test('has a start in EventBridge Scheduler that may be later than its first occurrence, and keeps the times of its occurrences', async () => {
    const dog = await newDog('sync', ['record']);
    await post(dog, 1, { next: at + 3, frequency: 1 });
    const schedule = standingOf(dog);
    expect(schedule.StartDate).toBe(at + 15);
    await fire(schedule, newContext({ after: 15 }));
    await fire(schedule, newContext({ after: 75 }), 1);
    expect(await shown(dog, 75)).toMatchObject({ previous: [at + 3, at + 63], next: at + 123 });
  });

  test('and has only one occurrence is deleted by EventBridge Scheduler itself', async () => {
    const dog = await newDog('sync', ['record']);
    await post(dog, 1, { next: at + hour, frequency: null });
    expect(standing(dog)).toMatchObject([
      { ScheduleExpression: 'at(2026-11-21T13:00:00)', ActionAfterCompletion: 'DELETE' },
    ]);
  });
});
