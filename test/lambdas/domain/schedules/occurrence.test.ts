import {
  listBarks,
  readDogView,
  readLastBark,
  readSchedule,
} from '../../../../lambdas/domain/barks/queries.ts';
import type { DogSettings } from '../../../../lambdas/domain/dogs/dog.ts';
import { deleteDog, putDog, readDog } from '../../../../lambdas/domain/dogs/repository.ts';
import { MailNotSent, NotYet, Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { endSchedule } from '../../../../lambdas/domain/schedules/end.ts';
import {
  createSchedule,
  deleteSchedule,
  type Occurrence,
  scheduledAtOf,
} from '../../../../lambdas/domain/schedules/eventbridge.ts';
import { postSchedule } from '../../../../lambdas/domain/schedules/post.ts';
import { repairSchedules } from '../../../../lambdas/domain/schedules/repair.ts';
import { useDatabase } from '../../../support/database.ts';
import { newDog } from '../../../support/dogs.ts';
import {
  calls,
  type Fault,
  injectFaults,
  Process,
  plan,
  reset,
  sent,
  standing,
  standingOf,
} from '../../../support/faults.ts';
import { deliver, occurrenceOf } from '../../../support/schedules.ts';

useDatabase();
beforeAll(injectFaults);

const now = Date.UTC(2026, 10, 21, 12);
const at = now / 1000;
const start = at + 600;
const period = 600;
const logged = jest.spyOn(console, 'error');

beforeEach(() => {
  reset();
  logged.mockReset().mockImplementation(() => {});
});

function newContext({ after = 0, milliseconds = 8_000 } = {}) {
  return { now: now + after * 1000, signal: AbortSignal.timeout(milliseconds) };
}

/** Creates a dog that barks every ten minutes, starting at `start`. `occurrence` returns the input of the nth one. */
async function scheduledDog(
  barkEffects: DogSettings['barkEffects'] = ['record'],
  barkHandling: DogSettings['barkHandling'] = 'sync',
): Promise<{ dog: string; occurrence: (n: number) => Occurrence }> {
  const dog = await newDog(barkHandling, barkEffects);
  await postSchedule(dog, { token: 1, next: start, frequency: 10 }, newContext());
  const schedule = standingOf(dog);
  reset();
  return { dog, occurrence: (n) => occurrenceOf(schedule, n) };
}

function replace(dog: string, after = 0) {
  return postSchedule(dog, { token: 2, next: at + 7200, frequency: 1 }, newContext({ after }));
}

async function barksOf(dog: string) {
  const { dog: state, previous } = await readDogView(dog, newContext());
  return { count: state.barkCount, previous };
}

const put = (dog: string, barkEffects: DogSettings['barkEffects']) =>
  putDog(
    dog,
    { email: 'new@example.com', owner: undefined, barkEffects, barkHandling: 'sync' },
    {},
    newContext(),
  );

describe('An occurrence', () => {
  test('makes the dog bark with one read and one transaction', async () => {
    const { dog, occurrence } = await scheduledDog();
    await deliver(occurrence(0), newContext({ after: 640 }));
    expect(calls()).toEqual(['GetItem', 'TransactWriteItems']);
    expect(await barksOf(dog)).toEqual({ count: 1, previous: [start] });
    expect(await readSchedule(dog, newContext({ after: 640 }))).toEqual({
      last: start,
      next: start + period,
    });
    const { barks } = await listBarks(dog, { limit: 10 }, newContext());
    expect(barks).toMatchObject([{ dog, timestamp: start, status: 'complete' }]);
    expect(await readLastBark(dog, newContext())).toEqual({ timestamp: start, id: barks[0]?.id });
  });

  test('makes the dog bark only once when it is delivered repeatedly', async () => {
    const { dog, occurrence } = await scheduledDog();
    for (const after of [600, 601, 3600]) await deliver(occurrence(0), newContext({ after }));
    expect(await barksOf(dog)).toEqual({ count: 1, previous: [start] });
  });

  test('makes the dog bark once when it is delivered 20 times concurrently', async () => {
    const { dog, occurrence } = await scheduledDog(['emailDog', 'record']);
    await Promise.all(Array.from({ length: 20 }, () => deliver(occurrence(0), newContext({ after: 600 }))));
    expect(await barksOf(dog)).toEqual({ count: 1, previous: [start] });
    expect(sent()).toHaveLength(1);
  });

  test('is counted even if it is out of order, and the dog keeps its latest occurrence as the last one', async () => {
    const { dog, occurrence } = await scheduledDog();
    for (const n of [2, 0, 3, 1]) await deliver(occurrence(n), newContext({ after: 3000 }));
    const times = [0, 1, 2, 3].map((n) => start + n * period);
    expect(await barksOf(dog)).toEqual({ count: 4, previous: times });
    expect(await readSchedule(dog, newContext({ after: 3000 }))).toEqual({
      last: times[3],
      next: start + 4 * period,
    });
  });

  test('is counted even if a later occurrence overtakes it at the last moment', async () => {
    const { dog, occurrence } = await scheduledDog();
    plan('TransactWriteItems', () => deliver(occurrence(1), newContext({ after: 1200 })));
    await deliver(occurrence(0), newContext({ after: 1200 }));
    expect(await barksOf(dog)).toEqual({ count: 2, previous: [start, start + period] });
    const { schedule, lastOccurrence } = await readDog(dog, newContext());
    expect([schedule?.lastOccurrence, lastOccurrence]).toEqual([start + period, start + period]);
  });

  test('is counted according to the effects of its history entry if it arrives after a later occurrence and a PUT', async () => {
    const { dog, occurrence } = await scheduledDog(['record']);
    plan('TransactWriteItems', async () => {
      await deliver(occurrence(1), newContext({ after: 1200 }));
      await put(dog, ['emailDog']);
    });
    await deliver(occurrence(0), newContext({ after: 1200 }));
    expect((await listBarks(dog, { limit: 10 }, newContext())).barks).toHaveLength(2);
    expect((await barksOf(dog)).count).toBe(2);
  });

  test('is synchronous even for a dog with asynchronous handling', async () => {
    const { dog, occurrence } = await scheduledDog(['count'], 'async');
    await deliver(occurrence(0), newContext({ after: 600 }));
    expect(await barksOf(dog)).toEqual({ count: 1, previous: [start] });
  });

  test('of a dog that only sends mail is in the history, and is not counted', async () => {
    const { dog, occurrence } = await scheduledDog(['emailDog']);
    await deliver(occurrence(0), newContext({ after: 600 }));
    expect(await barksOf(dog)).toEqual({ count: 0, previous: [start] });
    expect(sent()).toMatchObject([
      { to: ['dog@example.com'], text: expect.stringContaining('2026-11-21T12:10:00') },
    ]);
  });

  test('has the effects that the dog has at the time of the delivery', async () => {
    const { dog, occurrence } = await scheduledDog(['count']);
    await put(dog, ['emailDog', 'record']);
    await deliver(occurrence(0), newContext({ after: 600 }));
    expect(sent()).toMatchObject([{ to: ['new@example.com'] }]);
    expect((await listBarks(dog, { limit: 10 }, newContext())).barks).toHaveLength(1);
  });

  test('is never before the first occurrence of its schedule', () => {
    const input = {
      version: 1,
      dog: 'd',
      incarnation: 'l',
      scheduleId: 'g',
      created: at,
      frequency: 1,
    } as const;
    const scheduledTime = new Date((start - 31) * 1000).toISOString();
    expect(
      scheduledAtOf({ ...input, firstScheduledAt: start, firstInvocationAt: start, scheduledTime }),
    ).toBe(start);
  });

  test.each([-2, 0, 1, 15, 299])(
    'has its scheduled time even if EventBridge Scheduler is %i s late',
    (late) => {
      const input = { version: 1, dog: 'd', incarnation: 'l', scheduleId: 'g', created: at } as const;
      const scheduledTime = new Date((start + 15 + 3 * period + late) * 1000).toISOString();
      const first = { firstScheduledAt: start, firstInvocationAt: start + 15, scheduledTime };
      expect(scheduledAtOf({ ...input, ...first, frequency: 10 })).toBe(start + 3 * period);
      expect(scheduledAtOf({ ...input, ...first, frequency: null })).toBe(start);
    },
  );
});

describe('An occurrence of an earlier schedule or dog', () => {
  const former: [string, (dog: string) => Promise<unknown>][] = [
    ['the schedule was replaced', (dog) => replace(dog)],
    ['the schedule was ended', (dog) => endSchedule(dog, newContext())],
    ['the dog was deleted', (dog) => deleteDog(dog, {}, newContext())],
    [
      'the dog was deleted and created again',
      async (dog) => {
        await deleteDog(dog, {}, newContext());
        await put(dog, ['count']);
      },
    ],
  ];

  test.each(former)('only deletes its schedule if %s', async (_, end) => {
    const { dog, occurrence } = await scheduledDog(['emailDog', 'record']);
    plan('DeleteSchedule', 'refused');
    jest.spyOn(console, 'warn').mockImplementationOnce(() => {});
    await end(dog);
    const before = await barksOf(dog).catch(() => 'gone');
    reset();
    await deliver(occurrence(0), newContext({ after: 600 }));
    expect(calls().filter((name) => name !== 'GetItem')).toEqual(['DeleteSchedule']);
    expect(standing(dog).map((one) => occurrenceOf(one).scheduleId)).not.toContain(occurrence(0).scheduleId);
    expect(await barksOf(dog).catch(() => 'gone')).toEqual(before);
    expect(sent()).toEqual([]);
  });

  test.each(former)('does not make the dog bark if, at the last moment, %s', async (_, end) => {
    const { dog, occurrence } = await scheduledDog(['emailDog', 'record']);
    plan('TransactWriteItems', () => end(dog));
    await deliver(occurrence(0), newContext({ after: 600 }));
    expect(sent()).toEqual([]);
    expect(await barksOf(dog).catch(() => ({ count: 0, previous: [] }))).toEqual({ count: 0, previous: [] });
  });
});

describe('An occurrence of a schedule that the dog does not have', () => {
  test('throws NotYet while the request for the schedule may be in progress, and deletes the schedule after that', async () => {
    const dog = await newDog('sync', ['record']);
    const schedule = { scheduleId: '01KAK0XW00ABCDEFGHJK', start: at + 15, frequency: 1 };
    await createSchedule(await readDog(dog, newContext()), schedule, at + 15, newContext());
    const orphan = standingOf(dog);
    await expect(deliver(occurrenceOf(orphan), newContext({ after: 59 }))).rejects.toThrow(NotYet);
    expect(standing(dog)).toHaveLength(1);
    await deliver(occurrenceOf(orphan), newContext({ after: 60 }));
    expect(standing(dog)).toEqual([]);
    expect(await barksOf(dog)).toEqual({ count: 0, previous: [] });
  });
});

describe('The mail of a scheduled bark', () => {
  test('is claimed in the transaction of the bark, before it is sent', async () => {
    const { occurrence } = await scheduledDog(['emailDog', 'record']);
    await deliver(occurrence(0), newContext({ after: 600 }));
    expect(calls()).toEqual(['GetItem', 'TransactWriteItems', 'SendEmail']);
  });

  test.each([
    ['throttles it', 'throttled', 1],
    ['refuses three connections', 'no connection', 3],
  ] as const)('is sent once by the next delivery if SES %s', async (_, fault, times) => {
    const { dog, occurrence } = await scheduledDog(['emailDog', 'record']);
    plan('SendEmail', fault, times);
    await expect(deliver(occurrence(0), newContext({ after: 600 }))).rejects.toThrow(MailNotSent);
    expect(await barksOf(dog)).toEqual({ count: 1, previous: [start] });
    const again = () => deliver(occurrence(0), newContext({ after: 660 }));
    await Promise.all([again(), again()]);
    await again();
    expect(sent()).toHaveLength(1);
    expect(await barksOf(dog)).toEqual({ count: 1, previous: [start] });
  });

  test('is sent by the next delivery even if the schedule has been replaced in the meantime', async () => {
    const { dog, occurrence } = await scheduledDog(['emailDog', 'record']);
    plan('SendEmail', 'throttled');
    await expect(deliver(occurrence(0), newContext({ after: 600 }))).rejects.toThrow(MailNotSent);
    await replace(dog, 601);
    await deliver(occurrence(0), newContext({ after: 660 }));
    await deliver(occurrence(0), newContext({ after: 661 }));
    expect(sent()).toHaveLength(1);
    expect(await barksOf(dog)).toEqual({ count: 1, previous: [start] });
  });

  test('is sent by the next delivery even if the replaced schedule was less than a minute old', async () => {
    const dog = await newDog('sync', ['emailDog', 'record']);
    await postSchedule(dog, { token: 1, next: at + 20, frequency: 10 }, newContext());
    const schedule = standingOf(dog);
    plan('SendEmail', 'throttled');
    await expect(deliver(occurrenceOf(schedule), newContext({ after: 20 }), 'one')).rejects.toThrow(
      MailNotSent,
    );
    await replace(dog, 21);
    await deliver(occurrenceOf(schedule), newContext({ after: 30 }), 'another');
    expect(sent()).toHaveLength(1);
  });

  test('is sent by the next delivery even if the function ran out of time when it released the claim', async () => {
    const { occurrence } = await scheduledDog(['emailDog', 'record']);
    plan('SendEmail', 'throttled');
    const end = new AbortController();
    plan('UpdateItem', async () => end.abort());
    const first = deliver(occurrence(0), { ...newContext({ after: 600 }), signal: end.signal }, 'one');
    await expect(first).rejects.toThrow(MailNotSent);
    await deliver(occurrence(0), newContext({ after: 660 }), 'one');
    expect([sent().length, logged.mock.calls]).toEqual([1, []]);
  });

  test('is not sent and does not fail if the dog no longer sends mail', async () => {
    const { dog, occurrence } = await scheduledDog(['emailDog', 'record']);
    plan('SendEmail', 'throttled');
    await deliver(occurrence(0), newContext({ after: 600 })).catch(() => {});
    await put(dog, ['record']);
    await deliver(occurrence(0), newContext({ after: 660 }));
    expect([sent(), logged.mock.calls]).toEqual([[], []]);
  });

  test('is sent once even if the first delivery releases the claim again after the second has claimed the mail', async () => {
    const { occurrence } = await scheduledDog(['emailDog', 'record']);
    plan('SendEmail', 'throttled');
    plan('UpdateItem', 'response lost');
    plan('UpdateItem', () => deliver(occurrence(0), newContext({ after: 660 }), 'another'));
    await deliver(occurrence(0), newContext({ after: 600 }), 'one').catch(() => {});
    await deliver(occurrence(0), newContext({ after: 720 }), 'one').catch(() => {});
    expect(sent()).toHaveLength(1);
  });

  test('is sent after a second claim even if the response to that claim is lost', async () => {
    const { occurrence } = await scheduledDog(['emailDog', 'record']);
    plan('SendEmail', 'throttled');
    await deliver(occurrence(0), newContext({ after: 600 })).catch(() => {});
    plan('UpdateItem', 'response lost');
    await deliver(occurrence(0), newContext({ after: 660 }));
    expect(sent()).toHaveLength(1);
  });

  test.each<Fault>(['refused', 'response lost', 'fails before'])(
    'is logged for the alarm and not sent again after a permanent failure, and the bark stays: %s',
    async (fault) => {
      const { dog, occurrence } = await scheduledDog(['emailDog', 'record']);
      plan('SendEmail', fault);
      await deliver(occurrence(0), newContext({ after: 600 }));
      await deliver(occurrence(0), newContext({ after: 660 }));
      expect(calls().filter((name) => name === 'SendEmail')).toHaveLength(1);
      expect(logged.mock.calls).toEqual([
        [
          {
            event: 'MailFailed',
            dog,
            bark: expect.stringMatching(/^s/),
            // The log contains the error of SES, and not only the error of the service.
            error: expect.objectContaining({
              cause: expect.objectContaining({ errorType: expect.any(String) }),
            }),
          },
        ],
      ]);
      expect(await barksOf(dog)).toEqual({ count: 1, previous: [start] });
    },
  );
});

describe('The mail of a scheduled bark whose process died', () => {
  /** Delivers an occurrence to a process that dies before or after SES accepts the mail. */
  async function died(fault: 'dies' | 'dies after') {
    const { dog, occurrence } = await scheduledDog(['emailDog', 'record']);
    const process = new Process();
    process.plan('SendEmail', fault);
    await process.run(() => deliver(occurrence(0), newContext({ after: 600 }), 'the delivery'));
    expect(process.dead).toBe(true);
    return { dog, occurrence };
  }

  const unknown = (dog: string) => ({
    event: 'MailFailed',
    dog,
    bark: expect.stringMatching(/^s/),
    reason: 'The mail may have been sent.',
  });

  test.each(['dies', 'dies after'] as const)(
    'is logged once for the alarm by the next attempt, and is not sent again: %s',
    async (fault) => {
      const { dog, occurrence } = await died(fault);
      for (const after of [660, 780]) await deliver(occurrence(0), newContext({ after }), 'the delivery');
      expect(logged.mock.calls).toEqual([[unknown(dog)]]);
      expect(sent()).toEqual([]);
      expect(await barksOf(dog)).toEqual({ count: 1, previous: [start] });
    },
  );

  test('is logged even if the schedule has been replaced in the meantime', async () => {
    const { dog, occurrence } = await died('dies');
    await replace(dog, 601);
    await deliver(occurrence(0), newContext({ after: 660 }), 'the delivery');
    expect(logged.mock.calls).toEqual([[unknown(dog)]]);
  });

  test('is not sent by another delivery of the occurrence, because the first delivery still has the claim', async () => {
    const { occurrence } = await died('dies');
    await deliver(occurrence(0), newContext({ after: 660 }), 'another delivery');
    expect(logged.mock.calls).toEqual([]);
  });

  test('is logged even if the process died in the second attempt, after SES throttled the first', async () => {
    const { dog, occurrence } = await scheduledDog(['emailDog', 'record']);
    plan('SendEmail', 'throttled');
    await deliver(occurrence(0), newContext({ after: 600 }), 'the delivery').catch(() => {});
    const process = new Process();
    process.plan('SendEmail', 'dies');
    await process.run(() => deliver(occurrence(0), newContext({ after: 660 }), 'the delivery'));
    await deliver(occurrence(0), newContext({ after: 780 }), 'the delivery');
    expect(logged.mock.calls).toEqual([[unknown(dog)]]);
  });
});

describe('After a failure of an occurrence, the next delivery makes the dog bark once:', () => {
  const faults: [Fault, number][] = [
    ['fails before', 1],
    ['fails before', 99],
    ['response lost', 1],
    ['response lost', 99],
    ['response and token lost', 1],
    ['conflict', 3],
    ['hangs', 99],
    ['hangs after', 99],
  ];
  const cases = (['GetItem', 'TransactWriteItems'] as const).flatMap((operation) =>
    faults
      .filter(([fault]) => operation === 'TransactWriteItems' || !/token|conflict/.test(String(fault)))
      .map(([fault, times]) => ({ operation, fault, times })),
  );

  test.each(cases)('$operation $fault $times times', async ({ operation, fault, times }) => {
    const { dog, occurrence } = await scheduledDog();
    plan(operation, fault, times);
    await deliver(occurrence(0), newContext({ after: 600, milliseconds: 200 })).catch((error) =>
      expect(error).toBeInstanceOf(Unavailable),
    );
    reset();
    await deliver(occurrence(0), newContext({ after: 660 }));
    expect(await barksOf(dog)).toEqual({ count: 1, previous: [start] });
  });

  test.each(cases.filter(({ operation }) => operation === 'TransactWriteItems'))(
    'and SES sends its mail at most once: $operation $fault $times times',
    async ({ operation, fault, times }) => {
      const { dog, occurrence } = await scheduledDog(['emailDog', 'record']);
      plan(operation, fault, times);
      await deliver(occurrence(0), newContext({ after: 600, milliseconds: 200 })).catch(() => {});
      const first = sent().length;
      reset();
      await deliver(occurrence(0), newContext({ after: 660 }));
      expect(first + sent().length).toBeLessThanOrEqual(1);
      expect(await barksOf(dog)).toEqual({ count: 1, previous: [start] });
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
    const lost = await scheduledDog();
    const kept = await scheduledDog();
    const ended = await scheduledDog();
    await endSchedule(ended.dog, newContext());
    await deliver(lost.occurrence(0), newContext({ after: 600 }));
    const { scheduleId } = lost.occurrence(0);
    await deleteSchedule(lost.dog, scheduleId, newContext());
    const total = await repairSchedules(() => newContext({ after: 601 }));
    expect(total.repaired).toBe(1);
    expect(standing(lost.dog)).toMatchObject([
      { StartDate: start + period, ScheduleExpression: 'rate(10 minutes)' },
    ]);
    expect(standing(kept.dog)).toHaveLength(1);
    expect(standing(ended.dog)).toEqual([]);
    expect(await repairSchedules(() => newContext({ after: 601 }))).toEqual({ ...total, repaired: 0 });

    const [repaired] = standing(lost.dog);
    for (const n of [0, 1])
      if (repaired) await deliver(occurrenceOf(repaired, n), newContext({ after: 3000 }));
    await deliver(lost.occurrence(1), newContext({ after: 3000 }));
    expect(await barksOf(lost.dog)).toEqual({ count: 3, previous: [0, 1, 2].map((n) => start + n * period) });
  });
});
