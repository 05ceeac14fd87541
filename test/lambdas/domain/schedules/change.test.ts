import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { readDogView, readSchedule } from '../../../../lambdas/domain/barks/queries.ts';
import type { DogSettings } from '../../../../lambdas/domain/dogs/dog.ts';
import { deleteDog, putDog, readDog } from '../../../../lambdas/domain/dogs/repository.ts';
import {
  DateInFuture,
  InvalidSchedule,
  ModifiedSince,
  NotFound,
  PreconditionFailed,
  ScheduleRefused,
  Unavailable,
} from '../../../../lambdas/domain/platform/errors.ts';
import type { ScheduleChangeOutcome } from '../../../../lambdas/domain/schedules/change.ts';
import { endSchedule } from '../../../../lambdas/domain/schedules/end.ts';
import { postSchedule } from '../../../../lambdas/domain/schedules/post.ts';
import { useDatabase } from '../../../support/database.ts';
import { newDog } from '../../../support/dogs.ts';
import {
  calls,
  type Fault,
  injectFaults,
  plan,
  reset,
  sent,
  standing,
  standingOf,
} from '../../../support/faults.ts';
import { fire, occurrenceOf, patch } from '../../../support/schedules.ts';

useDatabase();
beforeAll(injectFaults);
beforeEach(reset);

const now = Date.UTC(2026, 10, 21, 12);
const at = now / 1000;

function newContext({ after = 0, milliseconds = 8_000 } = {}) {
  return { now: now + after * 1000, signal: AbortSignal.timeout(milliseconds) };
}

async function sleepingDog(...effects: Parameters<typeof newDog>[1]): Promise<string> {
  const dog = await newDog('sync', effects.length > 0 ? effects : ['record']);
  reset();
  return dog;
}

function post(
  dog: string,
  token: number,
  more: { next?: number; frequency?: number | null } = {},
  when = newContext(),
) {
  return postSchedule(dog, { token, next: 0, frequency: 10, ...more }, when);
}

function settingsOf(...barkEffects: DogSettings['barkEffects']): DogSettings {
  return { email: undefined, owner: undefined, barkEffects, barkHandling: 'sync' };
}

/** Returns the visible state of a dog's schedule and barks. */
async function seen(dog: string, after = 0) {
  const { dog: state, previous, next, frequency } = await readDogView(dog, newContext({ after }));
  return { barkCount: state.barkCount, previous, next, frequency };
}

describe('A schedule that begins now', () => {
  test.each([
    ['PATCH', (dog: string) => patch(dog, { barks: { next: 0, frequency: 10 } }, newContext())],
    ['POST', (dog: string) => post(dog, 1)],
  ])('that %s sets makes the dog bark at once, and continues in EventBridge Scheduler', async (_, set) => {
    const dog = await sleepingDog();
    expect(await set(dog)).toBe('changed');
    expect(calls()).toEqual(['GetItem', 'GetItem', 'CreateSchedule', 'TransactWriteItems']);
    expect(await seen(dog)).toEqual({ barkCount: 1, previous: [at], next: at + 600, frequency: 10 });
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

  test('and has no frequency causes no call to EventBridge Scheduler', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, { frequency: null });
    expect(calls()).toEqual(['GetItem', 'GetItem', 'TransactWriteItems']);
    expect(await seen(dog)).toEqual({ barkCount: 1, previous: [at], next: null, frequency: null });
    expect(await readSchedule(dog, newContext())).toEqual({ last: at, next: null });
  });

  test('adds a bark that only sends mail to the history, does not count it, and sends the mail after the transaction', async () => {
    const dog = await sleepingDog('emailDog');
    await post(dog, 1);
    expect(calls().slice(-2)).toEqual(['TransactWriteItems', 'SendEmail']);
    expect(await seen(dog)).toMatchObject({ barkCount: 0, previous: [at] });
  });

  test.each<Fault>(['throttled', 'refused', 'response lost'])(
    'is set even if the mail of its first bark fails: %s',
    async (fault) => {
      const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
      const dog = await sleepingDog('emailDog', 'record');
      plan('SendEmail', fault);
      expect(await post(dog, 1)).toBe('changed');
      expect(await seen(dog)).toMatchObject({ barkCount: 1, previous: [at] });
      expect(logged.mock.calls).toEqual([[expect.objectContaining({ event: 'MailFailed', dog })]]);
      expect(await post(dog, 1)).toBe('repeated');
      expect(calls().filter((name) => name === 'SendEmail')).toHaveLength(1);
      logged.mockRestore();
    },
  );
});

describe('A schedule that begins later', () => {
  test('makes the dog bark when EventBridge Scheduler delivers the occurrence', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, { next: at + 90, frequency: 1 });
    expect(await seen(dog)).toEqual({ barkCount: 0, previous: [], next: at + 90, frequency: 1 });
    expect(standing(dog)).toMatchObject([{ ScheduleExpression: 'rate(1 minute)', StartDate: at + 90 }]);
  });

  test('has a start in EventBridge Scheduler that may be later than its first occurrence, and keeps the times of its occurrences', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, { next: at + 3, frequency: 1 });
    const [schedule, ...others] = standing(dog);
    expect(others).toEqual([]);
    expect(schedule).toMatchObject({ StartDate: at + 15 });
    if (schedule) await fire(schedule, newContext({ after: 15 }));
    if (schedule) await fire(schedule, newContext({ after: 75 }), 1);
    expect(await seen(dog, 75)).toMatchObject({ previous: [at + 3, at + 63], next: at + 123 });
  });

  test('and has only one occurrence is deleted by EventBridge Scheduler itself', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, { next: at + 3600, frequency: null });
    expect(standing(dog)).toMatchObject([
      { ScheduleExpression: 'at(2026-11-21T13:00:00)', ActionAfterCompletion: 'DELETE' },
    ]);
  });
});

describe('An occurrence that is due and has not been delivered yet', () => {
  /** Returns a dog whose first occurrence is due three seconds after noon. */
  async function dueDog(): Promise<{ dog: string; deliverFirst: (after: number) => Promise<void> }> {
    const dog = await sleepingDog();
    await post(dog, 1, { next: at + 3, frequency: 10 });
    const schedule = standingOf(dog);
    return { dog, deliverFirst: (after) => fire(schedule, newContext({ after })) };
  }

  test('is shown as next until the dog barks, and the bark has the requested time', async () => {
    const { dog, deliverFirst } = await dueDog();
    expect(await readSchedule(dog, newContext({ after: 14 }))).toEqual({ last: null, next: at + 3 });
    await deliverFirst(15);
    expect(await readSchedule(dog, newContext({ after: 15 }))).toEqual({ last: at + 3, next: at + 603 });
  });

  test.each<[string, (dog: string) => Promise<unknown>, number | null]>([
    ['DELETE ends', (dog) => endSchedule(dog, newContext({ after: 5 })), null],
    ['PATCH ends', (dog) => patch(dog, { barks: null }, newContext({ after: 5 })), null],
    ['POST replaces', (dog) => post(dog, 2, { next: at + 60 }, newContext({ after: 5 })), at + 60],
    [
      'PATCH replaces',
      (dog) => patch(dog, { barks: { next: at + 60, frequency: 10 } }, newContext({ after: 5 })),
      at + 60,
    ],
  ])(
    'no longer makes the dog bark after %s its schedule, even if it is delivered',
    async (_, change, next) => {
      const { dog, deliverFirst } = await dueDog();
      await change(dog);
      await deliverFirst(75);
      expect(await readSchedule(dog, newContext({ after: 75 }))).toEqual({ last: null, next });
      expect(await seen(dog, 75)).toMatchObject({ barkCount: 0, previous: [] });
    },
  );

  test('makes the dog bark at once when PATCH changes only the frequency, and not again when it is delivered', async () => {
    const { dog, deliverFirst } = await dueDog();
    await patch(dog, { barks: { frequency: 20 } }, newContext({ after: 5 }));
    await deliverFirst(75);
    expect(await seen(dog, 75)).toEqual({
      barkCount: 1,
      previous: [at + 5],
      next: at + 5 + 1200,
      frequency: 20,
    });
  });
});

describe('A dog', () => {
  test('has only the new schedule after a POST and a later PATCH', async () => {
    const dog = await sleepingDog();
    await post(dog, 1);
    await patch(dog, { barks: { next: at + 7200, frequency: 30 } }, newContext({ after: 1 }));
    expect(standing(dog)).toMatchObject([{ ScheduleExpression: 'rate(30 minutes)', StartDate: at + 7200 }]);
    expect(await readSchedule(dog, newContext({ after: 1 }))).toEqual({ last: at, next: at + 7200 });
  });

  test.each([
    ['PATCH', async (dog: string) => patch(dog, { barks: null }, newContext({ after: 1 }))],
    ['DELETE', async (dog: string) => endSchedule(dog, newContext({ after: 1 }))],
  ])('keeps its barks after %s has ended its schedule', async (_, end) => {
    const dog = await sleepingDog();
    await post(dog, 1);
    await end(dog);
    expect(standing(dog)).toEqual([]);
    expect(await seen(dog, 1)).toEqual({ barkCount: 1, previous: [at], next: null, frequency: null });
    expect(await readSchedule(dog, newContext({ after: 1 }))).toEqual({ last: at, next: null });
    await endSchedule(dog, newContext({ after: 2 }));
    expect(await patch(dog, { barks: null }, newContext({ after: 2 }))).toBe('unchanged');
  });

  test('has no schedule after endSchedule even if EventBridge Scheduler is unavailable, and a later occurrence only deletes it', async () => {
    const dog = await sleepingDog();
    await post(dog, 1);
    plan('DeleteSchedule', 'fails before', 99);
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => {});
    await endSchedule(dog, newContext());
    expect(warned).toHaveBeenCalled();
    warned.mockRestore();
    reset();
    const [orphan] = standing(dog);
    expect(orphan).toBeDefined();
    if (orphan) await fire(orphan, newContext({ after: 600 }));
    expect(standing(dog)).toEqual([]);
    expect((await seen(dog, 600)).barkCount).toBe(1);
  });

  test('that never had a schedule makes readSchedule and endSchedule throw NotFound', async () => {
    const dog = await sleepingDog();
    await expect(readSchedule(dog, newContext())).rejects.toThrow(NotFound);
    await expect(endSchedule(dog, newContext())).rejects.toThrow(NotFound);
  });

  test('that does not exist makes POST and PATCH throw NotFound without a call to EventBridge Scheduler', async () => {
    await expect(post('unknown', 1)).rejects.toThrow(NotFound);
    await expect(patch('unknown', { barks: { next: 0 } }, newContext())).rejects.toThrow(NotFound);
    expect(calls()).not.toContain('CreateSchedule');
  });
});

describe('A PATCH', () => {
  test('that is sent ten times is applied once, even if another schedule replaces its schedule in the meantime', async () => {
    const dog = await sleepingDog();
    const body = { barks: { next: 0, frequency: 10 } };
    const outcomes: ScheduleChangeOutcome[] = [];
    for (let i = 0; i < 10; i++) outcomes.push(await patch(dog, body, newContext()));
    expect(outcomes).toEqual(['changed', ...Array(9).fill('repeated')]);
    await patch(dog, { barks: { next: at + 600, frequency: 1 } }, newContext());
    expect(await patch(dog, body, newContext({ after: 3600 }), { since: at })).toBe('repeated');
    expect(await seen(dog)).toMatchObject({ barkCount: 1, frequency: 1 });
  });

  test('with a different date or body is a different request, and is applied even in the same second', async () => {
    const dog = await sleepingDog();
    await patch(dog, { barks: { next: 0, frequency: 10 } }, newContext());
    expect(await patch(dog, { barks: { next: 0, frequency: 20 } }, newContext())).toBe('changed');
    expect(await patch(dog, { barks: { frequency: 10, next: 0 } }, newContext())).toBe('changed');
    expect(await patch(dog, { barks: { next: 0, frequency: 10 } }, newContext(), { since: at + 1 })).toBe(
      'changed',
    );
    expect(await seen(dog)).toMatchObject({ barkCount: 4 });
    expect(standing(dog)).toHaveLength(1);
  });

  test('is applied once, however late it is repeated, and again to a new dog with the same ID', async () => {
    const dog = await sleepingDog();
    const body = { barks: { next: 0, frequency: 10 } };
    await patch(dog, body, newContext());
    expect(await patch(dog, body, newContext({ after: 3 * 365 * 24 * 3600 }), { since: at })).toBe(
      'repeated',
    );
    await deleteDog(dog, {}, newContext());
    await putDog(dog, settingsOf('count'), {}, newContext());
    expect(await patch(dog, body, newContext(), { since: at })).toBe('changed');
  });

  test('throws ModifiedSince with both dates if a client has changed the dog after its date', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, {}, newContext({ after: 5 }));
    const late = patch(dog, { barks: { next: 0 } }, newContext({ after: 6 }), { since: at + 4 });
    await expect(late).rejects.toThrow(ModifiedSince);
    await expect(late).rejects.toMatchObject({ settingsModified: at + 5, since: at + 4 });
    expect(calls().filter((name) => name === 'CreateSchedule')).toHaveLength(1);
  });

  test('with If-Match is applied even if a client has changed the dog after its date', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, {}, newContext({ after: 5 }));
    const precondition = { match: [await readDog(dog, newContext())] };
    const patched = patch(dog, { barks: null }, newContext({ after: 6 }), { since: at + 4, precondition });
    expect(await patched).toBe('changed');
  });

  test.each([
    ['in one second', [0, 0, 0], at],
    ['with one date, half an hour apart', [0, 1800, 3600], 0],
  ])('with If-Match is applied again after the change of another client: %s', async (_, times, since) => {
    const dog = await sleepingDog();
    const body = { barks: { next: at + 7200, frequency: 10 } };
    const bodies = [body, { barks: null }, body];
    for (const [i, after] of times.entries()) {
      const precondition = { match: [await readDog(dog, newContext())] };
      expect(await patch(dog, bodies[i] ?? {}, newContext({ after }), { since, precondition })).toBe(
        'changed',
      );
    }
    expect(await seen(dog)).toMatchObject({ next: at + 7200 });
  });

  test('with If-Match that is sent again is a repeat, even though the dog has changed', async () => {
    const dog = await sleepingDog();
    const precondition = { match: [await readDog(dog, newContext())] };
    const send = () => patch(dog, { barks: { next: 0, frequency: 10 } }, newContext(), { precondition });
    expect([await send(), await send()]).toEqual(['changed', 'repeated']);
  });

  describe.each([240, 3600])('of a dog that a function with a clock %i s ahead has written', (ahead) => {
    async function aheadDog(): Promise<{ dog: string; shown: number }> {
      const dog = await sleepingDog();
      await post(dog, 1, { next: at + 20_000 }, newContext({ after: ahead }));
      const { lastModified } = await readDog(dog, newContext());
      expect(lastModified).toBe(at + ahead);
      return { dog, shown: lastModified };
    }

    test('is applied with the Last-Modified that the service returns', async () => {
      const { dog, shown } = await aheadDog();
      expect(await patch(dog, { barks: null }, newContext(), { since: shown })).toBe('changed');
    });

    test('is refused if it has the current date, and the error contains the date that the client must send', async () => {
      const { dog, shown } = await aheadDog();
      const patched = patch(dog, { barks: null }, newContext());
      await expect(patched).rejects.toMatchObject({ settingsModified: shown });
    });

    test('is refused if its date is later than Last-Modified and far ahead of the clock', async () => {
      const { dog, shown } = await aheadDog();
      const since = Math.max(shown, at + 300) + 1;
      const patched = patch(dog, { barks: null }, newContext(), { since });
      await expect(patched).rejects.toThrow(DateInFuture);
      await expect(patched).rejects.toMatchObject({ since, now: at });
    });

    test('is applied again after another PATCH, if each has the current Last-Modified', async () => {
      const { dog } = await aheadDog();
      const [first, second] = [{ barks: { frequency: 20 } }, { barks: { frequency: 30 } }];
      for (const body of [first, second, first]) {
        const { lastModified: since } = await readDog(dog, newContext());
        expect(await patch(dog, body, newContext(), { since })).toBe('changed');
      }
      expect(await seen(dog)).toMatchObject({ frequency: 20 });
    });

    test('is not a repeat after a PUT or a POST of another client', async () => {
      const { dog } = await aheadDog();
      const body = { barks: { frequency: 20 } };
      const changes = [
        () => putDog(dog, settingsOf('count'), {}, newContext()),
        () => post(dog, 2, { next: at + 30_000, frequency: 30 }),
      ];
      for (const change of [...changes, () => {}]) {
        const { lastModified: since } = await readDog(dog, newContext());
        const outcome = await patch(dog, body, newContext(), { since });
        expect(outcome).not.toBe('repeated');
        await change();
      }
      expect(await seen(dog)).toMatchObject({ frequency: 20 });
    });
  });

  test('is applied with the Last-Modified of a dog that has not changed for a year', async () => {
    const dog = await sleepingDog();
    const { lastModified: since } = await readDog(dog, newContext());
    const nextYear = newContext({ after: 365 * 24 * 3600 });
    expect(await patch(dog, { barks: { next: 0 } }, nextYear, { since })).toBe('changed');
    expect(await patch(dog, { barks: { next: 0 } }, nextYear, { since })).toBe('repeated');
  });

  test('is not refused because the dog has barked', async () => {
    const dog = await sleepingDog();
    await createBark(dog, {}, newContext({ after: 5 }));
    expect(await patch(dog, { barks: { next: 0 } }, newContext({ after: 6 }), { since: at + 4 })).toBe(
      'changed',
    );
  });

  test.each([
    ['changed', (state: { incarnation: string; version: number }) => ({ match: [state] })],
    ['changed', () => ({ match: 'any' as const })],
    [
      'refused',
      ({ incarnation, version }: { incarnation: string; version: number }) => ({
        match: [{ incarnation, version: version + 1 }],
      }),
    ],
    ['refused', () => ({ match: [] })],
    ['refused', (state: { incarnation: string; version: number }) => ({ noneMatch: [state] })],
    ['refused', () => ({ noneMatch: 'any' as const })],
  ])('is %s by its precondition: %#', async (outcome, preconditionOf) => {
    const dog = await sleepingDog();
    const precondition = preconditionOf(await readDog(dog, newContext()));
    const patched = patch(dog, { barks: { next: 0 } }, newContext(), { precondition });
    if (outcome === 'changed') expect(await patched).toBe('changed');
    else await expect(patched).rejects.toThrow(PreconditionFailed);
  });

  test('that requires a state is refused if the dog barks at the last moment', async () => {
    const dog = await sleepingDog();
    const state = await readDog(dog, newContext());
    plan('CreateSchedule', () => createBark(dog, {}, newContext()));
    const patched = patch(dog, { barks: { next: at + 600 } }, newContext(), {
      precondition: { match: [state] },
    });
    await expect(patched).rejects.toThrow(PreconditionFailed);
    expect(standing(dog)).toEqual([]);
  });

  test('without a required state is applied even if the dog barks at the last moment', async () => {
    const dog = await sleepingDog();
    plan('CreateSchedule', () => createBark(dog, {}, newContext()));
    expect(await patch(dog, { barks: { next: at + 600 } }, newContext())).toBe('changed');
    expect(calls().filter((name) => name === 'CreateSchedule')).toHaveLength(1);
  });

  test('that replaces a due occurrence does not make the dog bark if the occurrence is delivered in the meantime', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, { next: at + 60, frequency: 10 });
    const schedule = standingOf(dog);
    plan('CreateSchedule', () => fire(schedule, newContext({ after: 62 })));
    expect(await patch(dog, { barks: { frequency: 5 } }, newContext({ after: 62 }))).toBe('changed');
    expect(await seen(dog, 62)).toEqual({
      barkCount: 1,
      previous: [at + 60],
      next: at + 660,
      frequency: 5,
    });
  });

  test('that keeps the next occurrence does not make the dog bark twice if the occurrence is delivered in the meantime', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, { next: at + 60, frequency: 10 });
    const schedule = standingOf(dog);
    plan('CreateSchedule', () => fire(schedule, newContext({ after: 60 })));
    expect(await patch(dog, { barks: { frequency: 5 } }, newContext({ after: 59 }))).toBe('changed');
    for (const occurrence of standing(dog)) await fire(occurrence, newContext({ after: 60 }));
    expect(await seen(dog, 60)).toEqual({
      barkCount: 2,
      previous: [at + 60, at + 660],
      next: at + 960,
      frequency: 5,
    });
  });

  test('that changes nothing is recorded without a write to the dog and without a call to EventBridge Scheduler', async () => {
    const dog = await sleepingDog();
    await post(dog, 1);
    const before = await readDog(dog, newContext());
    reset();
    expect(await patch(dog, { barks: { frequency: 10 } }, newContext())).toBe('unchanged');
    expect(calls()).toEqual(['GetItem', 'GetItem', 'TransactWriteItems']);
    expect(await readDog(dog, newContext())).toEqual(before);
  });

  test.each([
    ['the end of a schedule that does not exist', { barks: null }],
    ['an empty patch', {}],
  ])(
    'that changed nothing has no effect when it is repeated after the change of another client: %s',
    async (_, body) => {
      const dog = await sleepingDog();
      expect(await patch(dog, body, newContext())).toBe('unchanged');
      await post(dog, 1, { next: at + 3600 });
      expect(await patch(dog, body, newContext())).toBe('repeated');
      expect(await seen(dog)).toMatchObject({ next: at + 3600, frequency: 10 });
    },
  );

  test('that changed nothing is recorded once, even if the response of the write is lost', async () => {
    const dog = await sleepingDog();
    plan('TransactWriteItems', 'response lost');
    expect(await patch(dog, { barks: null }, newContext())).toBe('unchanged');
    expect(await patch(dog, { barks: null }, newContext())).toBe('repeated');
  });

  test('that would change nothing is evaluated again if another client changes the dog before it is recorded', async () => {
    const dog = await sleepingDog();
    plan('TransactWriteItems', () => post(dog, 1, { next: at + 3600 }));
    expect(await patch(dog, { barks: null }, newContext())).toBe('changed');
    expect(await seen(dog)).toMatchObject({ next: null });
  });

  test('with If-Match that would change nothing is refused if the dog barks before it is recorded', async () => {
    const dog = await sleepingDog();
    const precondition = { match: [await readDog(dog, newContext())] };
    plan('TransactWriteItems', () => createBark(dog, {}, newContext()));
    await expect(patch(dog, { barks: null }, newContext(), { precondition })).rejects.toThrow(
      PreconditionFailed,
    );
  });
});

describe('The token of a POST', () => {
  test('that is sent again changes nothing, even years later or after the end of the schedule', async () => {
    const dog = await sleepingDog();
    await post(dog, 7, { next: at + 60 });
    await post(dog, 8);
    await endSchedule(dog, newContext());
    expect(await post(dog, 7, { next: at + 60 }, newContext({ after: 3 * 365 * 24 * 3600 }))).toBe(
      'repeated',
    );
    expect(await seen(dog)).toMatchObject({ barkCount: 1, next: null });
  });

  test.each([
    { next: 1, frequency: 10 },
    { next: 0, frequency: 11 },
    { next: 0, frequency: null },
  ])('throws InvalidSchedule if it is sent again with other content: %j', async (other) => {
    const dog = await sleepingDog();
    await post(dog, 7);
    await expect(post(dog, 7, other)).rejects.toThrow(InvalidSchedule);
    expect(await seen(dog)).toMatchObject({ barkCount: 1, frequency: 10 });
  });

  test('is the same number in any notation, and frequency 0 is the same as null', async () => {
    const dog = await sleepingDog();
    await post(dog, 0, { frequency: 0 });
    expect(await post(dog, -0, { frequency: null })).toBe('repeated');
    expect(await post(dog, JSON.parse('0.0e1'), { frequency: null })).toBe('repeated');
  });

  test('that an earlier dog with the same ID had is new', async () => {
    const dog = await sleepingDog();
    await post(dog, 7);
    await deleteDog(dog, {}, newContext());
    await putDog(
      dog,
      { email: undefined, owner: undefined, barkEffects: ['count'], barkHandling: 'sync' },
      {},
      newContext(),
    );
    expect(await post(dog, 7, { next: 0, frequency: 1 })).toBe('changed');
    expect(await seen(dog)).toMatchObject({ barkCount: 1, frequency: 1 });
  });
});

describe('Clocks that differ', () => {
  const hour = 3600;

  /** Returns a dog that has barked on schedule. The clock of the function that wrote the bark was ahead by the given seconds. */
  async function dogWrittenAhead(aheadSeconds: number): Promise<string> {
    const dog = await sleepingDog();
    await post(dog, 1, { next: 0, frequency: null }, newContext({ after: aheadSeconds }));
    return dog;
  }

  test.each([1, hour])('by %i s do not hide the future occurrence of a schedule', async (ahead) => {
    const dog = await dogWrittenAhead(ahead);
    const next = at + Math.min(ahead, 600);
    await post(dog, 2, { next, frequency: null }, newContext({ after: next - at - 1 }));
    const before = newContext({ after: next - at - 1 });
    expect(await readSchedule(dog, before)).toEqual({ last: at + ahead, next });
    await fire(standingOf(dog), newContext({ after: next - at }));
    expect(await seen(dog, next - at)).toMatchObject({ barkCount: 2, next: null });
    expect(await readSchedule(dog, newContext({ after: next - at }))).toEqual({
      last: at + ahead,
      next: null,
    });
  });

  test.each([
    ['DELETE', (dog: string) => endSchedule(dog, newContext({ after: 1 }))],
    [
      'PATCH',
      async (dog: string) => {
        const { lastModified: since } = await readDog(dog, newContext());
        await patch(dog, { barks: null }, newContext({ after: 1 }), { since });
      },
    ],
  ])('do not prevent %s from ending a schedule with one future occurrence', async (_, end) => {
    const dog = await dogWrittenAhead(hour);
    await post(dog, 2, { next: at + 600, frequency: null });
    const schedule = standingOf(dog);
    await end(dog);
    expect(standing(dog)).toEqual([]);
    await fire(schedule, newContext({ after: 600 }));
    expect(await seen(dog, 600)).toMatchObject({ barkCount: 1, next: null });
  });

  test("do not delay a schedule that begins now, and do not move back the time of the dog's last bark", async () => {
    const dog = await dogWrittenAhead(hour);
    await post(dog, 2, { next: 0, frequency: 10 });
    expect(await readSchedule(dog, newContext())).toEqual({ last: at + hour, next: at + 600 });
    await fire(standingOf(dog), newContext({ after: 600 }));
    expect(await seen(dog, 600)).toEqual({
      barkCount: 3,
      previous: [at, at + 600, at + hour],
      next: at + 1200,
      frequency: 10,
    });
    expect((await readSchedule(dog, newContext({ after: 600 }))).last).toBe(at + hour);
  });
});

describe('Concurrent requests', () => {
  test('that are 50 identical PATCHes set one schedule, with one change and 49 repeats', async () => {
    const dog = await sleepingDog();
    const body = { barks: { next: 0, frequency: 10 } };
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => patch(dog, body, newContext())));
    expect(outcomes.toSorted()).toEqual(['changed', ...Array(49).fill('repeated')]);
    expect(await seen(dog)).toEqual({ barkCount: 1, previous: [at], next: at + 600, frequency: 10 });
    expect(standing(dog)).toHaveLength(1);
  });

  test('that are 50 POSTs with one token set one schedule and make the dog bark once', async () => {
    const dog = await sleepingDog();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => post(dog, 7)));
    expect(outcomes.toSorted()).toEqual(['changed', ...Array(49).fill('repeated')]);
    expect(await seen(dog)).toEqual({ barkCount: 1, previous: [at], next: at + 600, frequency: 10 });
    expect(standing(dog)).toHaveLength(1);
  });

  test('that are the same PATCH are one change and one repeat, even if the repeat reads the changed dog', async () => {
    const dog = await sleepingDog();
    const body = { barks: { next: 0, frequency: 10 } };
    const send = () => patch(dog, body, newContext({ after: 2 }), { since: at });
    plan('GetItem', send);
    expect(await send()).toBe('repeated');
    expect(await seen(dog)).toMatchObject({ barkCount: 1 });
  });

  test('for different schedules leave exactly one of the schedules', async () => {
    const dog = await sleepingDog();
    const frequencies = [1, 2, 3, 4, 5, 6, 7, 8];
    await Promise.all(frequencies.map((n) => post(dog, n, { next: at + 600 + n, frequency: n })));
    const { next, frequency } = await seen(dog);
    expect(frequencies).toContain(frequency);
    expect(next).toBe(at + 600 + Number(frequency));
    const [schedule, ...others] = standing(dog);
    expect(others).toEqual([]);
    expect(schedule).toMatchObject({
      StartDate: next,
      ScheduleExpression: expect.stringContaining(`${frequency} `),
    });
  });

  test('for a PUT and a schedule both take effect', async () => {
    const dog = await sleepingDog();
    plan('CreateSchedule', () =>
      putDog(
        dog,
        { email: undefined, owner: undefined, barkEffects: ['count'], barkHandling: 'sync' },
        {},
        newContext(),
      ),
    );
    expect(await post(dog, 1)).toBe('changed');
    const { dog: state, next } = await readDogView(dog, newContext());
    expect([state.settings.barkEffects, next]).toEqual([['count'], at + 600]);
    expect(standing(dog)).toHaveLength(1);
  });

  test('for a DELETE of the dog and a schedule leave no schedule', async () => {
    const dog = await sleepingDog();
    plan('CreateSchedule', () => deleteDog(dog, {}, newContext()));
    await expect(post(dog, 1)).rejects.toThrow(NotFound);
    expect(standing(dog)).toEqual([]);
  });
});

describe('EventBridge Scheduler', () => {
  test.each<Fault>(['throttled', 'fails before', 'hangs'])(
    'that does not respond makes postSchedule throw Unavailable and change nothing: %s',
    async (fault) => {
      const dog = await sleepingDog();
      plan('CreateSchedule', fault, 99);
      await expect(post(dog, 1, {}, newContext({ milliseconds: 1_500 }))).rejects.toThrow(Unavailable);
      expect(calls()).not.toContain('TransactWriteItems');
      expect(await seen(dog)).toEqual({ barkCount: 0, previous: [], next: null, frequency: null });
    },
  );

  test('that refuses a schedule makes postSchedule throw ScheduleRefused and change nothing', async () => {
    const dog = await sleepingDog();
    plan('CreateSchedule', 'refused');
    await expect(post(dog, 1)).rejects.toThrow(ScheduleRefused);
    expect(await seen(dog)).toEqual({ barkCount: 0, previous: [], next: null, frequency: null });
  });

  test('that already has the schedule after a lost response causes no error', async () => {
    const dog = await sleepingDog();
    plan('CreateSchedule', 'response lost');
    expect(await post(dog, 1)).toBe('changed');
    expect(calls().filter((name) => name === 'CreateSchedule')).toHaveLength(2);
    expect(standing(dog)).toHaveLength(1);
  });
});

describe('A failure during a change to a schedule', () => {
  const requests = {
    'PATCH that begins now': (dog: string, when: ReturnType<typeof newContext>) =>
      patch(dog, { barks: { next: 0, frequency: 20 } }, when, { since: at + 60 }),
    'POST that begins later': (dog: string, when: ReturnType<typeof newContext>) =>
      post(dog, 2, { next: at + 7200, frequency: 20 }, when),
    'POST that makes the dog bark once, later': (dog: string, when: ReturnType<typeof newContext>) =>
      post(dog, 2, { next: at + 7200, frequency: null }, when),
    'PATCH that ends the schedule': (dog: string, when: ReturnType<typeof newContext>) =>
      patch(dog, { barks: null }, when, { since: at + 60 }),
  };
  const operations = ['GetItem', 'CreateSchedule', 'TransactWriteItems', 'DeleteSchedule'];
  const faults: [Fault, number][] = [
    ['fails before', 1],
    ['fails before', 99],
    ['response lost', 1],
    ['response lost', 99],
    ['response and token lost', 1],
    ['throttled', 99],
    ['hangs', 99],
    ['hangs after', 99],
  ];
  const cases = Object.entries(requests).flatMap(([name, request]) =>
    operations.flatMap((operation) =>
      faults
        .filter(([fault]) => fault !== 'response and token lost' || operation === 'TransactWriteItems')
        .map(([fault, times]) => ({ name, request, operation, fault, times })),
    ),
  );

  beforeEach(() => {
    jest.spyOn(console, 'warn').mockImplementation(() => {});
  });

  test.each(cases)(
    'leaves the old or the new schedule, and a repeat leaves the new one: $name, $operation $fault $times times',
    async ({ request, operation, fault, times }) => {
      const undisturbed = await sleepingDog();
      const dog = await sleepingDog();
      for (const one of [undisturbed, dog]) await post(one, 1, { next: at + 3600, frequency: 10 });
      await request(undisturbed, newContext({ after: 60 }));
      const [oldOne, newOne] = [
        { next: at + 3600, frequency: 10, barkCount: 0 },
        await seen(undisturbed, 60),
      ];

      plan(operation, fault, times);
      const outcome = await request(dog, newContext({ after: 60, milliseconds: 120 })).catch(
        (error) => error,
      );
      reset();
      const state = await seen(dog, 60);
      if (state.frequency === oldOne.frequency) expect(state).toMatchObject(oldOne);
      else expect(state).toEqual(newOne);
      if (!(outcome instanceof Error)) expect(state).toEqual(newOne);
      await expectToWork(dog);

      const again = await request(dog, newContext({ after: 60 }));
      expect(['changed', 'repeated', 'unchanged']).toContain(again);
      expect(await seen(dog, 60)).toEqual(newOne);
      await expectToWork(dog);

      for (const schedule of standing(dog))
        if (!(await isCurrent(dog, schedule))) await fire(schedule, newContext({ after: 3600 }));
      expect(standing(dog)).toHaveLength(newOne.next === null ? 0 : 1);
      await expectToWork(dog);
      expect(await seen(dog, 60)).toEqual(newOne);
    },
  );

  /** Checks that EventBridge Scheduler has the schedule of the dog if the dog has a next occurrence. */
  async function expectToWork(dog: string): Promise<void> {
    const { next } = await seen(dog, 60);
    const current: boolean[] = [];
    for (const schedule of standing(dog)) current.push(await isCurrent(dog, schedule));
    expect(current.filter(Boolean)).toHaveLength(next === null ? 0 : 1);
  }

  async function isCurrent(dog: string, schedule: Parameters<typeof occurrenceOf>[0]): Promise<boolean> {
    const { schedule: own } = await readDog(dog, newContext());
    return own?.scheduleId === occurrenceOf(schedule).scheduleId && !own.ended;
  }

  test('does not make SES send the mail of the first bark twice', async () => {
    const dog = await sleepingDog('emailDog', 'record');
    plan('SendEmail', 'hangs after');
    const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
    await post(dog, 1, {}, newContext({ milliseconds: 300 })).catch(() => {});
    expect(await post(dog, 1)).toBe('repeated');
    expect(sent()).toHaveLength(1);
    logged.mockRestore();
  });
});
