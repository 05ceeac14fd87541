import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import type { Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import { readDog } from '../../../../lambdas/domain/dogs/read.ts';
import { NotYet, Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { endSchedule } from '../../../../lambdas/domain/schedules/change.ts';
import {
  createSchedule,
  deleteSchedule,
  type Occurrence,
  scheduledAtOf,
} from '../../../../lambdas/domain/schedules/eventbridge.ts';
import { repairSchedules } from '../../../../lambdas/domain/schedules/repair.ts';
import { at, newContext } from '../../../support/context.ts';
import { newDog, replaceSettings } from '../../../support/dogs.ts';
import { Process, plan, reset, sent, standing, standingOf, useFunctions } from '../../../support/faults.ts';
import { setLimits } from '../../../support/limits.ts';
import { useLogs } from '../../../support/logs.ts';
import { deliver, occurrenceOf, post, shown } from '../../../support/schedules.ts';

useFunctions();
const logs = useLogs();

const start = at + 600;
const period = 600;

interface ScheduledDog {
  readonly dog: string;
  /** Returns the input of the nth occurrence, counted from 0. */
  readonly occurrence: (n: number) => Occurrence;
  /** Delivers the first occurrence. @param after the time of the delivery, in seconds */
  readonly deliverFirst: (after?: number, delivery?: string) => Promise<void>;
}

/** Creates a dog that barks every ten minutes. @param next the time of the first occurrence, in Unix seconds */
async function scheduledDog(effects: Effect[] = ['record'], next = start): Promise<ScheduledDog> {
  const dog = await newDog('sync', effects);
  await post(dog, 1, { next });
  const schedule = standingOf(dog);
  reset();
  return {
    dog,
    occurrence: (n) => occurrenceOf(schedule, n),
    deliverFirst: (after = 600, delivery) => deliver(occurrenceOf(schedule), newContext({ after }), delivery),
  };
}

const mailingDog = () => scheduledDog(['emailDog', 'record']);

function replace(dog: string, after = 0) {
  return post(dog, 2, { next: at + 7200, frequency: 1 }, newContext({ after }));
}

async function barksOf(dog: string) {
  const { barkCount, previous } = await shown(dog);
  return { barkCount, previous };
}

describe('An occurrence', () => {
  test('of a dog that only sends mail is in the history, and is not counted', async () => {
    const { dog, deliverFirst } = await scheduledDog(['emailDog']);
    await deliverFirst();
    expect(await barksOf(dog)).toEqual({ barkCount: 0, previous: [start] });
    const text = expect.stringContaining('21 Nov 2026 at 12:10:00 UTC');
    expect(sent()).toMatchObject([{ to: ['dog@example.com'], text }]);
  });

  function scheduledAt(deliveredAt: number, frequency: number | null): number {
    const input = { version: 1, dog: 'd', incarnation: 'l', scheduleId: 'g', created: at } as const;
    const first = { firstScheduledAt: start, firstInvocationAt: start + 15 };
    const scheduledTime = new Date(deliveredAt * 1000).toISOString();
    return scheduledAtOf({ ...input, ...first, frequency, scheduledTime });
  }

  test('is never before the first occurrence of its schedule', () => {
    expect(scheduledAt(start + 15 - 31, 1)).toBe(start);
  });

  test.each([-2, 0, 1, 15, 299])(
    'has its scheduled time even if EventBridge Scheduler is %i s late',
    (late) => {
      const delivered = start + 15 + 3 * period + late;
      expect(scheduledAt(delivered, 10)).toBe(start + 3 * period);
      expect(scheduledAt(delivered, null)).toBe(start);
    },
  );
});

describe('An occurrence of a schedule that the dog does not have', () => {
  test('deletes the schedule at once if the dog had it, even if it was ended less than a minute after its creation', async () => {
    const { dog, deliverFirst } = await scheduledDog(['record'], at + 20);
    plan('DeleteSchedule', 'refused');
    await endSchedule(dog, newContext());
    await deliverFirst(20);
    expect(standing(dog)).toEqual([]);
  });

  test('throws NotYet while the request for the schedule may be in progress, and deletes the schedule after that', async () => {
    const dog = await newDog('sync', ['record']);
    const schedule = { scheduleId: '01KAK0XW00ABCDEFGHJK', start: at + 15, frequency: 1 };
    await createSchedule(await readDog(dog, newContext()), schedule, at + 15, newContext());
    const orphan = occurrenceOf(standingOf(dog));
    await expect(deliver(orphan, newContext({ after: 59 }))).rejects.toThrow(NotYet);
    expect(standing(dog)).toHaveLength(1);
    await deliver(orphan, newContext({ after: 60 }));
    expect(standing(dog)).toEqual([]);
    expect(await barksOf(dog)).toEqual({ barkCount: 0, previous: [] });
  });
});

// The faults in test/faults occur at every call. These examples explain the protocol of the mail.
describe('The mail of a scheduled bark', () => {
  /** Returns a dog whose first occurrence was delivered. SES throttled the mail, so the delivery released its claim. */
  async function throttledDog(next?: number): Promise<ScheduledDog> {
    const scheduled = await scheduledDog(['emailDog', 'record'], next);
    plan('SendRawEmail', 'throttled');
    const first = scheduled.deliverFirst(next === undefined ? 600 : next - at, 'the first delivery');
    await expect(first).rejects.toMatchObject({ name: 'MailNotSent' });
    return scheduled;
  }

  test('is sent by the next delivery even if the replaced schedule was less than a minute old', async () => {
    const { dog, deliverFirst } = await throttledDog(at + 20);
    await replace(dog, 21);
    await deliverFirst(30);
    expect(sent()).toHaveLength(1);
  });

  test('is not sent and does not fail if the dog no longer sends mail', async () => {
    const { dog, deliverFirst } = await throttledDog();
    await replaceSettings(dog);
    for (const after of [660, 840]) await deliverFirst(after, 'the first delivery');
    expect([sent(), logs.error]).toEqual([[], []]);
  });

  test('is not sent again after its delivery died, and only another attempt of that delivery logs the failure', async () => {
    const { dog, deliverFirst } = await mailingDog();
    const process = new Process();
    process.plan('SendRawEmail', 'dies');
    await process.run(() => deliverFirst(600, 'the delivery'));
    expect(process.dead).toBe(true);
    await deliverFirst(660, 'another delivery');
    expect(logs.error).toEqual([]);
    for (const after of [660, 780]) await deliverFirst(after, 'the delivery');
    const [bark, reason] = [expect.stringMatching(/^s/), 'The mail may have been sent.'];
    expect([logs.error, sent()]).toEqual([[{ event: 'MailFailed', dog, bark, reason }], []]);
  });

  test('is logged for the alarm, with the error of SES, and not sent again if SES refuses it, and the bark stays', async () => {
    const { dog, deliverFirst } = await mailingDog();
    plan('SendRawEmail', 'refused');
    for (const after of [600, 660]) await deliverFirst(after);
    const error = expect.objectContaining({
      cause: expect.objectContaining({ errorType: expect.any(String) }),
    });
    expect(logs.error).toEqual([{ event: 'MailFailed', dog, bark: expect.stringMatching(/^s/), error }]);
    expect([sent(), await barksOf(dog)]).toEqual([[], { barkCount: 1, previous: [start] }]);
  });
});

describe('The mail of a scheduled bark over the limit', () => {
  beforeEach(() => setLimits({ mailsPerDog: 1 }));
  afterEach(() => setLimits(undefined));

  const inNextWindow = 600 + 3600;

  async function limitedDog(): Promise<ScheduledDog> {
    const scheduled = await mailingDog();
    const { dog } = scheduled;
    await createBark(dog, {}, newContext({ after: 600 }));
    reset();
    return scheduled;
  }

  test('is logged as dropped once, whichever delivery comes again', async () => {
    const { dog, deliverFirst } = await limitedDog();
    for (const delivery of ['the delivery', 'another delivery']) await deliverFirst(600, delivery);
    expect(logs.error).toEqual([{ event: 'MailDropped', dog, bark: expect.stringMatching(/^s/) }]);
    expect(sent()).toEqual([]);
  });

  test('is not logged as dropped if the write fails and the next attempt sends it in the next window', async () => {
    const { deliverFirst } = await limitedDog();
    const process = new Process();
    process.plan('TransactWriteItems', 'fails before', 99, 1);
    const first = process.run(() => deliverFirst(600, 'the delivery'));
    await expect(first).rejects.toThrow(Unavailable);
    await deliverFirst(inNextWindow, 'the delivery');
    expect([logs.error, sent().length]).toEqual([[], 1]);
  });

  test.each([
    ['the dog still sends mail', async () => {}],
    ['the dog sends no mail any more', (dog: string) => replaceSettings(dog)],
    ['the dog has another schedule', (dog: string) => replace(dog, 600)],
  ])(
    'is logged as dropped by the next attempt if the function dies after the write, and %s',
    async (_, change) => {
      const { dog, deliverFirst } = await limitedDog();
      const process = new Process();
      process.plan('TransactWriteItems', 'dies after', 1, 1);
      await process.run(() => deliverFirst(600, 'the delivery'));
      expect([process.dead, logs.error]).toEqual([true, []]);
      await change(dog);
      await deliverFirst(inNextWindow, 'the delivery');
      expect(logs.error).toEqual([{ event: 'MailDropped', dog, bark: expect.stringMatching(/^s/) }]);
      expect(sent()).toEqual([]);
    },
  );
});

describe('repairSchedules', () => {
  test('continues if EventBridge Scheduler refuses a schedule, and returns the dog of that schedule', async () => {
    const [one, other] = [await scheduledDog(), await scheduledDog()];
    plan('CreateSchedule', 'refused', 99);
    const { repaired, refused } = await repairSchedules(newContext);
    expect(repaired).toBe(0);
    expect(refused).toEqual(expect.arrayContaining([one.dog, other.dog]));
  });

  test('creates only the schedules that EventBridge Scheduler lacks, and keeps their times', async () => {
    const [lost, kept, ended] = [await scheduledDog(), await scheduledDog(), await scheduledDog()];
    await endSchedule(ended.dog, newContext());
    await lost.deliverFirst();
    await deleteSchedule(lost.dog, lost.occurrence(0).scheduleId, newContext());
    const total = await repairSchedules(() => newContext({ after: 601 }));
    expect(total.repaired).toBe(1);
    expect(standing(lost.dog)).toMatchObject([
      { StartDate: start + period, ScheduleExpression: 'rate(10 minutes)' },
    ]);
    expect([standing(kept.dog).length, standing(ended.dog)]).toEqual([1, []]);
    expect(await repairSchedules(() => newContext({ after: 601 }))).toEqual({ ...total, repaired: 0 });

    const repaired = standingOf(lost.dog);
    for (const n of [0, 1]) await deliver(occurrenceOf(repaired, n), newContext({ after: 3000 }));
    await deliver(lost.occurrence(1), newContext({ after: 3000 }));
    const previous = [0, 1, 2].map((n) => start + n * period);
    expect(await barksOf(lost.dog)).toEqual({ barkCount: 3, previous });
  });
});
