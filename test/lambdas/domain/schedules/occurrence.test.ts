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
const logged = import.meta.jest.spyOn(console, 'error');

beforeEach(() => {
  reset();
  logged.mockReset().mockImplementation(() => {});
});

function newContext({ after = 0, milliseconds = 8_000 } = {}) {
  return { now: now + after * 1000, signal: AbortSignal.timeout(milliseconds) };
}

/** Creates a dog that barks every ten minutes from `start` on, and returns the input of each occurrence. */
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

  test('that is delivered twice barks once', async () => {
    const { dog, occurrence } = await scheduledDog();
    for (const after of [600, 601, 3600]) await deliver(occurrence(0), newContext({ after }));
    expect(await barksOf(dog)).toEqual({ count: 1, previous: [start] });
  });

  test('that is delivered 20 times at once barks once', async () => {
    const { dog, occurrence } = await scheduledDog(['emailDog', 'record']);
    await Promise.all(Array.from({ length: 20 }, () => deliver(occurrence(0), newContext({ after: 600 }))));
    expect(await barksOf(dog)).toEqual({ count: 1, previous: [start] });
    expect(sent()).toHaveLength(1);
  });

  test('may come out of order: all are counted, and the latest one stays the last', async () => {
    const { dog, occurrence } = await scheduledDog();
    for (const n of [2, 0, 3, 1]) await deliver(occurrence(n), newContext({ after: 3000 }));
    const times = [0, 1, 2, 3].map((n) => start + n * period);
    expect(await barksOf(dog)).toEqual({ count: 4, previous: times });
    expect(await readSchedule(dog, newContext({ after: 3000 }))).toEqual({
      last: times[3],
      next: start + 4 * period,
    });
  });

  test('that a later one overtakes at the last moment is counted all the same', async () => {
    const { dog, occurrence } = await scheduledDog();
    plan('TransactWriteItems', () => deliver(occurrence(1), newContext({ after: 1200 })));
    await deliver(occurrence(0), newContext({ after: 1200 }));
    expect(await barksOf(dog)).toEqual({ count: 2, previous: [start, start + period] });
    const { schedule, lastOccurrence } = await readDog(dog, newContext());
    expect([schedule?.lastOccurrence, lastOccurrence]).toEqual([start + period, start + period]);
  });

  test('that comes after a later one and a PUT is counted by the effects of its history entry', async () => {
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

  test('has the effects that the dog has by then', async () => {
    const { dog, occurrence } = await scheduledDog(['count']);
    await put(dog, ['emailDog', 'record']);
    await deliver(occurrence(0), newContext({ after: 600 }));
    expect(sent()).toMatchObject([{ to: ['new@example.com'] }]);
    expect((await listBarks(dog, { limit: 10 }, newContext())).barks).toHaveLength(1);
  });

  test('has no time before the first occurrence', () => {
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

  test.each([-2, 0, 1, 15, 299])('has its scheduled time, even if the scheduler is %i s late', (late) => {
    const input = { version: 1, dog: 'd', incarnation: 'l', scheduleId: 'g', created: at } as const;
    const scheduledTime = new Date((start + 15 + 3 * period + late) * 1000).toISOString();
    const first = { firstScheduledAt: start, firstInvocationAt: start + 15, scheduledTime };
    expect(scheduledAtOf({ ...input, ...first, frequency: 10 })).toBe(start + 3 * period);
    expect(scheduledAtOf({ ...input, ...first, frequency: null })).toBe(start);
  });
});

describe('An occurrence that no longer belongs to the dog', () => {
  const former: [string, (dog: string) => Promise<unknown>][] = [
    ['of a schedule that was replaced', (dog) => replace(dog)],
    ['of a schedule that was ended', (dog) => endSchedule(dog, newContext())],
    ['of a dog that was deleted', (dog) => deleteDog(dog, {}, newContext())],
    [
      'of a former dog of the same id',
      async (dog) => {
        await deleteDog(dog, {}, newContext());
        await put(dog, ['count']);
      },
    ],
  ];

  test.each(former)('%s does nothing but delete its schedule', async (_, end) => {
    const { dog, occurrence } = await scheduledDog(['emailDog', 'record']);
    plan('DeleteSchedule', 'refused');
    import.meta.jest.spyOn(console, 'warn').mockImplementationOnce(() => {});
    await end(dog);
    const before = await barksOf(dog).catch(() => 'gone');
    reset();
    await deliver(occurrence(0), newContext({ after: 600 }));
    expect(calls().filter((name) => name !== 'GetItem')).toEqual(['DeleteSchedule']);
    expect(standing(dog).map((one) => occurrenceOf(one).scheduleId)).not.toContain(occurrence(0).scheduleId);
    expect(await barksOf(dog).catch(() => 'gone')).toEqual(before);
    expect(sent()).toEqual([]);
  });

  test.each(former)('%s does nothing if that happens at the last moment', async (_, end) => {
    const { dog, occurrence } = await scheduledDog(['emailDog', 'record']);
    plan('TransactWriteItems', () => end(dog));
    await deliver(occurrence(0), newContext({ after: 600 }));
    expect(sent()).toEqual([]);
    expect(await barksOf(dog).catch(() => ({ count: 0, previous: [] }))).toEqual({ count: 0, previous: [] });
  });
});

describe('An occurrence of a schedule that is not set', () => {
  test('is to be delivered again while its setting may be under way, and deletes its schedule after that', async () => {
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
  test('is claimed together with the count, before it goes out', async () => {
    const { occurrence } = await scheduledDog(['emailDog', 'record']);
    await deliver(occurrence(0), newContext({ after: 600 }));
    expect(calls()).toEqual(['GetItem', 'TransactWriteItems', 'SendEmail']);
  });

  test.each([
    ['was busy', 'throttled', 1],
    ['could not be reached', 'no connection', 3],
  ] as const)('is sent once by the next delivery when SES %s', async (_, fault, times) => {
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

  test('goes out at the next delivery, although the schedule is another by then', async () => {
    const { dog, occurrence } = await scheduledDog(['emailDog', 'record']);
    plan('SendEmail', 'throttled');
    await expect(deliver(occurrence(0), newContext({ after: 600 }))).rejects.toThrow(MailNotSent);
    await replace(dog, 601);
    await deliver(occurrence(0), newContext({ after: 660 }));
    await deliver(occurrence(0), newContext({ after: 661 }));
    expect(sent()).toHaveLength(1);
    expect(await barksOf(dog)).toEqual({ count: 1, previous: [start] });
  });

  test('goes out at the next delivery, which is done then, although the schedule is new and has been replaced', async () => {
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

  test('goes out at the next delivery, even if the time of the function was up when it gave the mail back', async () => {
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

  test('goes out once, though the first gives it back again when the next has claimed it', async () => {
    const { occurrence } = await scheduledDog(['emailDog', 'record']);
    plan('SendEmail', 'throttled');
    plan('UpdateItem', 'response lost');
    plan('UpdateItem', () => deliver(occurrence(0), newContext({ after: 660 }), 'another'));
    await deliver(occurrence(0), newContext({ after: 600 }), 'one').catch(() => {});
    await deliver(occurrence(0), newContext({ after: 720 }), 'one').catch(() => {});
    expect(sent()).toHaveLength(1);
  });

  test('that was claimed again is sent, even if the response to the claim was lost', async () => {
    const { occurrence } = await scheduledDog(['emailDog', 'record']);
    plan('SendEmail', 'throttled');
    await deliver(occurrence(0), newContext({ after: 600 })).catch(() => {});
    plan('UpdateItem', 'response lost');
    await deliver(occurrence(0), newContext({ after: 660 }));
    expect(sent()).toHaveLength(1);
  });

  test.each<Fault>(['refused', 'response lost', 'fails before'])(
    'that fails for good is logged for the alarm, undoes nothing, and is not tried again: %s',
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
            // The log has the error of SES, and not only the error of the service.
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
  /** Delivers an occurrence to a process that dies at the mail, before it went out or after. */
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
    reason: 'Its mail may have been sent.',
  });

  test.each(['dies', 'dies after'] as const)(
    'is logged for the alarm by the next try, once, and not sent again: %s',
    async (fault) => {
      const { dog, occurrence } = await died(fault);
      for (const after of [660, 780]) await deliver(occurrence(0), newContext({ after }), 'the delivery');
      expect(logged.mock.calls).toEqual([[unknown(dog)]]);
      expect(sent()).toEqual([]);
      expect(await barksOf(dog)).toEqual({ count: 1, previous: [start] });
    },
  );

  test('is logged although the schedule is another by then', async () => {
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

  test('is logged even if the process died at the second try, after SES was busy', async () => {
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

describe('Whatever fails or dies at an occurrence, the next delivery makes it bark once', () => {
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
    'its mail goes out once at most, $operation $fault $times times',
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

describe('Repairing', () => {
  test('continues if the scheduler refuses a schedule, and returns its dog', async () => {
    const [one, other] = [await scheduledDog(), await scheduledDog()];
    plan('CreateSchedule', 'refused', 99);
    const { repaired, refused } = await repairSchedules(newContext);
    expect(repaired).toBe(0);
    expect(refused).toEqual(expect.arrayContaining([one.dog, other.dog]));
  });

  test('creates the schedules that the scheduler lacks, with their old times, and no others', async () => {
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
