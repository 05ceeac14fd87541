import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { readDogView, readSchedule } from '../../../../lambdas/domain/barks/queries.ts';
import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import type { Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import type { DogState, Precondition } from '../../../../lambdas/domain/dogs/precondition.ts';
import { putDog } from '../../../../lambdas/domain/dogs/put.ts';
import { readDog } from '../../../../lambdas/domain/dogs/read.ts';
import {
  DateInFuture,
  InvalidSchedule,
  ModifiedSince,
  NotFound,
  PreconditionFailed,
  ScheduleRefused,
  StateMismatch,
  Unavailable,
} from '../../../../lambdas/domain/platform/errors.ts';
import { endSchedule, postSchedule } from '../../../../lambdas/domain/schedules/change.ts';
import { at, newContext } from '../../../support/context.ts';
import { useDatabase } from '../../../support/database.ts';
import { newDog, recreateDog, replaceSettings, settingsOf } from '../../../support/dogs.ts';
import { calls, injectFaults, plan, reset, standing, standingOf } from '../../../support/faults.ts';
import { useLogs } from '../../../support/logs.ts';
import { fire, patch, post, shown } from '../../../support/schedules.ts';

useDatabase();
const logs = useLogs();
beforeAll(injectFaults);
beforeEach(reset);

const hour = 3600;
const year = 365 * 24 * hour;
const fromNow = { barks: { next: 0, frequency: 10 } };
const noSchedule = { barkCount: 0, previous: [], next: null, frequency: null };

async function sleepingDog(...effects: Effect[]): Promise<string> {
  const dog = await newDog('sync', effects.length > 0 ? effects : ['record']);
  reset();
  return dog;
}

/** Returns the precondition that the dog has its current state. */
async function matchOf(dog: string): Promise<{ precondition: Precondition }> {
  return { precondition: { match: [await readDog(dog, newContext())] } };
}

function callsOf(operation: string): number {
  return calls().filter((name) => name === operation).length;
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

  test('and has no frequency causes no call to EventBridge Scheduler', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, { frequency: null });
    expect(calls()).toEqual(['BatchGetItem', 'TransactWriteItems']);
    expect(await shown(dog)).toEqual({ ...noSchedule, barkCount: 1, previous: [at] });
    expect((await readSchedule(dog, newContext())).shown).toEqual({ last: at, next: null });
  });

  test('adds a bark that only sends mail to the history, does not count it, and sends the mail after the transaction', async () => {
    const dog = await sleepingDog('emailDog');
    await post(dog, 1);
    expect(calls().slice(-2)).toEqual(['TransactWriteItems', 'SendRawEmail']);
    expect(await shown(dog)).toMatchObject({ barkCount: 0, previous: [at] });
  });

  test('is set even if SES throttles the mail of its first bark, and a repeat of the request does not send the mail', async () => {
    const dog = await sleepingDog('emailDog', 'record');
    plan('SendRawEmail', 'throttled');
    expect([await post(dog, 1), await post(dog, 1)]).toEqual(['changed', 'repeated']);
    expect(await shown(dog)).toMatchObject({ barkCount: 1, previous: [at] });
    expect(logs.error).toEqual([expect.objectContaining({ event: 'MailFailed', dog })]);
    expect(callsOf('SendRawEmail')).toBe(1);
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

describe('An occurrence that is due and has not been delivered yet', () => {
  /** Returns a dog whose first occurrence is due three seconds after noon. */
  async function dueDog(): Promise<{ dog: string; deliverFirst: (after: number) => Promise<void> }> {
    const dog = await sleepingDog();
    await post(dog, 1, { next: at + 3 });
    const schedule = standingOf(dog);
    return { dog, deliverFirst: (after) => fire(schedule, newContext({ after })) };
  }
  const soon = () => newContext({ after: 5 });

  test('is shown as next until the dog barks, and the bark has the requested time', async () => {
    const { dog, deliverFirst } = await dueDog();
    expect((await readSchedule(dog, newContext({ after: 14 }))).shown).toEqual({ last: null, next: at + 3 });
    await deliverFirst(15);
    expect((await readSchedule(dog, newContext({ after: 15 }))).shown).toEqual({
      last: at + 3,
      next: at + 603,
    });
  });

  test.each<[string, (dog: string) => Promise<unknown>, number | null]>([
    ['DELETE ends', (dog) => endSchedule(dog, soon()), null],
    ['PATCH ends', (dog) => patch(dog, { barks: null }, soon()), null],
    ['POST replaces', (dog) => post(dog, 2, { next: at + 60 }, soon()), at + 60],
    ['PATCH replaces', (dog) => patch(dog, { barks: { next: at + 60, frequency: 10 } }, soon()), at + 60],
  ])(
    'no longer makes the dog bark after %s its schedule, even if it is delivered',
    async (_, change, next) => {
      const { dog, deliverFirst } = await dueDog();
      await change(dog);
      await deliverFirst(75);
      expect((await readSchedule(dog, newContext({ after: 75 }))).shown).toEqual({ last: null, next });
      expect(await shown(dog, 75)).toMatchObject({ barkCount: 0, previous: [] });
    },
  );

  test('makes the dog bark at once when PATCH changes only the frequency, and not again when it is delivered', async () => {
    const { dog, deliverFirst } = await dueDog();
    await patch(dog, { barks: { frequency: 20 } }, soon());
    await deliverFirst(75);
    expect(await shown(dog, 75)).toEqual({
      barkCount: 1,
      previous: [at + 5],
      next: at + 5 + 1200,
      frequency: 20,
    });
  });
});

describe('An explicit `next` that is the time of an occurrence of the current schedule', () => {
  const time = at + 60;

  /** Returns a dog that barks once, in a minute. `deliver` delivers the occurrence. */
  async function expectantDog(): Promise<{ dog: string; deliver: () => Promise<void> }> {
    const dog = await sleepingDog();
    await post(dog, 1, { next: time });
    const schedule = standingOf(dog);
    return { dog, deliver: () => fire(schedule, newContext({ after: 60 })) };
  }

  const requests: [string, (dog: string, after: number, frequency: number | null) => Promise<unknown>][] = [
    ['POST', (dog, after, frequency) => post(dog, 2, { next: time, frequency }, newContext({ after }))],
    [
      'PATCH',
      (dog, after, frequency) => patch(dog, { barks: { next: time, frequency } }, newContext({ after })),
    ],
  ];
  const cases = requests.flatMap(([name, request]) =>
    [59, 60, 90].map((after) => [name, after, request] as const),
  );

  /** Delivers each occurrence that is due, and checks that the dog has barked once. */
  async function expectOneBark(dog: string, frequency: number | null): Promise<void> {
    for (const due of standing(dog).filter(({ StartDate = at }) => StartDate < at + 120))
      await fire(due, newContext({ after: 90 }));
    const next = frequency === null ? null : time + frequency * 60;
    expect(await shown(dog, 90)).toEqual({ barkCount: 1, previous: [time], next, frequency });
  }

  test.each(cases)(
    'does not make the dog bark again if the occurrence was delivered before the %s, at %i s',
    async (_, after, request) => {
      const { dog, deliver } = await expectantDog();
      await deliver();
      expect(await request(dog, after, 20)).toBe('changed');
      await expectOneBark(dog, 20);
    },
  );

  test.each(cases)(
    'does not make the dog bark again if the occurrence is delivered during the %s, at %i s',
    async (_, after, request) => {
      const { dog, deliver } = await expectantDog();
      plan('TransactWriteItems', deliver);
      expect(await request(dog, after, 20)).toBe('changed');
      await expectOneBark(dog, 20);
    },
  );

  test.each(requests)('ends the schedule if %s has no frequency', async (_, request) => {
    const { dog, deliver } = await expectantDog();
    await deliver();
    await request(dog, 59, null);
    expect(standing(dog)).toEqual([]);
    await expectOneBark(dog, null);
  });

  test('changes nothing if a PATCH has the frequency of the schedule', async () => {
    const { dog, deliver } = await expectantDog();
    await deliver();
    expect(await patch(dog, { barks: { next: time, frequency: 10 } }, newContext({ after: 60 }))).toBe(
      'unchanged',
    );
    await expectOneBark(dog, 10);
  });
});

describe('A dog', () => {
  const later = () => newContext({ after: 1 });

  test('has only the new schedule after a POST and a later PATCH', async () => {
    const dog = await sleepingDog();
    await post(dog, 1);
    await patch(dog, { barks: { next: at + 7200, frequency: 30 } }, later());
    expect(standing(dog)).toMatchObject([{ ScheduleExpression: 'rate(30 minutes)', StartDate: at + 7200 }]);
    expect((await readSchedule(dog, later())).shown).toEqual({ last: at, next: at + 7200 });
  });

  test.each<[string, (dog: string) => Promise<unknown>]>([
    ['PATCH', (dog) => patch(dog, { barks: null }, later())],
    ['DELETE', (dog) => endSchedule(dog, later())],
  ])('keeps its barks after %s has ended its schedule', async (_, end) => {
    const dog = await sleepingDog();
    await post(dog, 1);
    await end(dog);
    expect(standing(dog)).toEqual([]);
    expect(await shown(dog, 1)).toEqual({ ...noSchedule, barkCount: 1, previous: [at] });
    expect((await readSchedule(dog, later())).shown).toEqual({ last: at, next: null });
    await endSchedule(dog, newContext({ after: 2 }));
    expect(await patch(dog, { barks: null }, newContext({ after: 2 }))).toBe('unchanged');
  });

  test('that never had a schedule makes readSchedule and endSchedule throw NotFound', async () => {
    const dog = await sleepingDog();
    await expect(readSchedule(dog, newContext())).rejects.toThrow(NotFound);
    await expect(endSchedule(dog, newContext())).rejects.toThrow(NotFound);
  });

  test('that does not exist makes POST and PATCH throw NotFound without a call to EventBridge Scheduler', async () => {
    await expect(post('unknown', 1)).rejects.toThrow(NotFound);
    await expect(patch('unknown', { barks: { next: 0 } })).rejects.toThrow(NotFound);
    expect(calls()).not.toContain('CreateSchedule');
  });
});

describe('A PATCH', () => {
  test('that is sent ten times is applied once, even if another schedule replaces its schedule in the meantime', async () => {
    const dog = await sleepingDog();
    const outcomes: string[] = [];
    for (let i = 0; i < 10; i++) outcomes.push(await patch(dog, fromNow));
    expect(outcomes).toEqual(['changed', ...Array(9).fill('repeated')]);
    await patch(dog, { barks: { next: at + 600, frequency: 1 } });
    expect(await patch(dog, fromNow, newContext({ after: hour }), { since: at })).toBe('repeated');
    expect(await shown(dog)).toMatchObject({ barkCount: 1, frequency: 1 });
  });

  test('with a different date or body is a different request, and is applied even in the same second', async () => {
    const dog = await sleepingDog();
    const outcomes = [
      await patch(dog, fromNow),
      await patch(dog, { barks: { next: 0, frequency: 20 } }),
      await patch(dog, { barks: { frequency: 10, next: 0 } }),
      await patch(dog, fromNow, newContext(), { since: at + 1 }),
    ];
    expect(outcomes).toEqual(Array(4).fill('changed'));
    expect(await shown(dog)).toMatchObject({ barkCount: 4 });
    expect(standing(dog)).toHaveLength(1);
  });

  test('is applied once, however late it is repeated, and again to a new dog with the same ID', async () => {
    const dog = await sleepingDog();
    await patch(dog, fromNow);
    expect(await patch(dog, fromNow, newContext({ after: 3 * year }), { since: at })).toBe('repeated');
    await recreateDog(dog);
    expect(await patch(dog, fromNow, newContext(), { since: at })).toBe('changed');
  });

  test('throws ModifiedSince with both dates if a client has changed the dog after its date', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, {}, newContext({ after: 5 }));
    const late = patch(dog, { barks: { next: 0 } }, newContext({ after: 6 }), { since: at + 4 });
    await expect(late).rejects.toThrow(ModifiedSince);
    await expect(late).rejects.toMatchObject({ settingsModified: at + 5, since: at + 4 });
    expect(callsOf('CreateSchedule')).toBe(1);
  });

  test('with If-Match is applied even if a client has changed the dog after its date', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, {}, newContext({ after: 5 }));
    const options = { since: at + 4, ...(await matchOf(dog)) };
    expect(await patch(dog, { barks: null }, newContext({ after: 6 }), options)).toBe('changed');
  });

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

  test('with If-Match that is sent again is a repeat, even though the dog has changed', async () => {
    const dog = await sleepingDog();
    const options = await matchOf(dog);
    const send = () => patch(dog, fromNow, newContext(), options);
    expect([await send(), await send()]).toEqual(['changed', 'repeated']);
  });

  describe.each([240, hour])('of a dog that a function with a clock %i s ahead has written', (ahead) => {
    let dog: string;
    let since: number;

    beforeEach(async () => {
      dog = await sleepingDog();
      await post(dog, 1, { next: at + 20_000 }, newContext({ after: ahead }));
      ({ lastModified: since } = await readDog(dog, newContext()));
      expect(since).toBe(at + ahead);
    });

    /** Patches the frequency, with the current Last-Modified of the dog as the date. */
    async function patchFrequency(frequency: number) {
      const { lastModified } = await readDog(dog, newContext());
      return patch(dog, { barks: { frequency } }, newContext(), { since: lastModified });
    }

    test('is applied with the Last-Modified that the service returns', async () => {
      expect(await patch(dog, { barks: null }, newContext(), { since })).toBe('changed');
    });

    test('is refused if it has the current date, and the error contains the date that the client must send', async () => {
      await expect(patch(dog, { barks: null })).rejects.toMatchObject({ settingsModified: since });
    });

    test('is refused if its date is later than Last-Modified and far ahead of the clock', async () => {
      const latest = Math.max(since, at + 300);
      const patched = patch(dog, { barks: null }, newContext(), { since: latest + 1 });
      await expect(patched).rejects.toThrow(DateInFuture);
      await expect(patched).rejects.toMatchObject({ since: latest + 1, now: at });
      expect(await patch(dog, { barks: null }, newContext(), { since: latest })).toBe('changed');
    });

    test('is applied again after another PATCH, if each has the current Last-Modified', async () => {
      for (const frequency of [20, 30, 20]) expect(await patchFrequency(frequency)).toBe('changed');
      expect(await shown(dog)).toMatchObject({ frequency: 20 });
    });

    test('is not a repeat after a PUT or a POST of another client', async () => {
      expect(await patchFrequency(20)).not.toBe('repeated');
      await replaceSettings(dog, settingsOf('count'));
      expect(await patchFrequency(20)).not.toBe('repeated');
      await post(dog, 2, { next: at + 30_000, frequency: 30 });
      expect(await patchFrequency(20)).not.toBe('repeated');
      expect(await shown(dog)).toMatchObject({ frequency: 20 });
    });
  });

  test('is applied with the Last-Modified of a dog that has not changed for a year', async () => {
    const dog = await sleepingDog();
    const { lastModified: since } = await readDog(dog, newContext());
    const send = () => patch(dog, { barks: { next: 0 } }, newContext({ after: year }), { since });
    expect([await send(), await send()]).toEqual(['changed', 'repeated']);
  });

  test('is not refused because the dog has barked', async () => {
    const dog = await sleepingDog();
    await createBark(dog, {}, newContext({ after: 5 }));
    const patched = patch(dog, { barks: { next: 0 } }, newContext({ after: 6 }), { since: at + 4 });
    expect(await patched).toBe('changed');
  });

  const another = ({ incarnation, version }: DogState) => ({ incarnation, version: version + 1 });
  test.each<[string, string, (state: DogState) => Precondition]>([
    ['the state of the dog', 'applied', (state) => ({ match: [state] })],
    ['an existing dog', 'applied', () => ({ match: 'any' })],
    ['another state', 'refused', (state) => ({ match: [another(state)] })],
    ['one of no states', 'refused', () => ({ match: [] })],
    ['another state than that of the dog', 'refused', (state) => ({ noneMatch: [state] })],
    ['that no dog exists', 'refused', () => ({ noneMatch: 'any' })],
  ])('that requires %s is %s', async (_, outcome, preconditionOf) => {
    const dog = await sleepingDog();
    const precondition = preconditionOf(await readDog(dog, newContext()));
    const patched = patch(dog, { barks: { next: 0 } }, newContext(), { precondition });
    if (outcome === 'applied') expect(await patched).toBe('changed');
    else await expect(patched).rejects.toThrow(PreconditionFailed);
  });

  test('that requires a state is refused if the dog barks at the last moment', async () => {
    const dog = await sleepingDog();
    const options = await matchOf(dog);
    plan('CreateSchedule', () => createBark(dog, {}, newContext()));
    const patched = patch(dog, { barks: { next: at + 600 } }, newContext(), options);
    await expect(patched).rejects.toThrow(PreconditionFailed);
    expect(standing(dog)).toEqual([]);
  });

  test('without a required state is applied even if the dog barks at the last moment', async () => {
    const dog = await sleepingDog();
    plan('CreateSchedule', () => createBark(dog, {}, newContext()));
    expect(await patch(dog, { barks: { next: at + 600 } })).toBe('changed');
    expect(callsOf('CreateSchedule')).toBe(1);
  });

  test('that replaces a due occurrence does not make the dog bark if the occurrence is delivered in the meantime', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, { next: at + 60 });
    const schedule = standingOf(dog);
    plan('CreateSchedule', () => fire(schedule, newContext({ after: 62 })));
    expect(await patch(dog, { barks: { frequency: 5 } }, newContext({ after: 62 }))).toBe('changed');
    const next = at + 660;
    expect(await shown(dog, 62)).toEqual({ barkCount: 1, previous: [at + 60], next, frequency: 5 });
  });

  test('that keeps the next occurrence does not make the dog bark twice if the occurrence is delivered in the meantime', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, { next: at + 60 });
    const schedule = standingOf(dog);
    plan('CreateSchedule', () => fire(schedule, newContext({ after: 60 })));
    expect(await patch(dog, { barks: { frequency: 5 } }, newContext({ after: 59 }))).toBe('changed');
    for (const occurrence of standing(dog)) await fire(occurrence, newContext({ after: 60 }));
    const previous = [at + 60, at + 660];
    expect(await shown(dog, 60)).toEqual({ barkCount: 2, previous, next: at + 960, frequency: 5 });
  });

  test('that changes nothing is recorded without a write to the dog and without a call to EventBridge Scheduler', async () => {
    const dog = await sleepingDog();
    await post(dog, 1);
    const before = await readDog(dog, newContext());
    reset();
    expect(await patch(dog, { barks: { frequency: 10 } })).toBe('unchanged');
    expect(calls()).toEqual(['BatchGetItem', 'TransactWriteItems']);
    expect(await readDog(dog, newContext())).toEqual(before);
  });

  test.each([
    ['the end of a schedule that does not exist', { barks: null }],
    ['an empty patch', {}],
  ])(
    'that changed nothing has no effect when it is repeated after the change of another client: %s',
    async (_, body) => {
      const dog = await sleepingDog();
      expect(await patch(dog, body)).toBe('unchanged');
      await post(dog, 1, { next: at + hour });
      expect(await patch(dog, body)).toBe('repeated');
      expect(await shown(dog)).toMatchObject({ next: at + hour, frequency: 10 });
    },
  );

  test('that would change nothing is evaluated again if another client changes the dog before it is recorded', async () => {
    const dog = await sleepingDog();
    plan('TransactWriteItems', () => post(dog, 1, { next: at + hour }));
    expect(await patch(dog, { barks: null })).toBe('changed');
    expect(await shown(dog)).toMatchObject({ next: null });
  });

  test('with If-Match that would change nothing is refused if the dog barks before it is recorded', async () => {
    const dog = await sleepingDog();
    const options = await matchOf(dog);
    plan('TransactWriteItems', () => createBark(dog, {}, newContext()));
    await expect(patch(dog, { barks: null }, newContext(), options)).rejects.toThrow(PreconditionFailed);
  });
});

describe('The token of a POST', () => {
  test('that is sent again changes nothing, even years later or after the end of the schedule', async () => {
    const dog = await sleepingDog();
    await post(dog, 7, { next: at + 60 });
    await post(dog, 8);
    await endSchedule(dog, newContext());
    expect(await post(dog, 7, { next: at + 60 }, newContext({ after: 3 * year }))).toBe('repeated');
    expect(await shown(dog)).toMatchObject({ barkCount: 1, next: null });
  });

  test.each([{ next: 1 }, { frequency: 11 }, { frequency: null }])(
    'throws InvalidSchedule if it is sent again with other content: %j',
    async (other) => {
      const dog = await sleepingDog();
      await post(dog, 7);
      await expect(post(dog, 7, other)).rejects.toThrow(InvalidSchedule);
      expect(await shown(dog)).toMatchObject({ barkCount: 1, frequency: 10 });
    },
  );

  test('is the same number in any notation, and frequency 0 is the same as null', async () => {
    const dog = await sleepingDog();
    await post(dog, 0, { frequency: 0 });
    for (const token of [-0, JSON.parse('0.0e1')])
      expect(await post(dog, token, { frequency: null })).toBe('repeated');
  });

  test('that an earlier dog with the same ID had is new', async () => {
    const dog = await sleepingDog();
    await post(dog, 7);
    await recreateDog(dog);
    expect(await post(dog, 7, { frequency: 1 })).toBe('changed');
    expect(await shown(dog)).toMatchObject({ barkCount: 1, frequency: 1 });
  });
});

describe('Clocks that differ', () => {
  /** Returns a dog that has barked on schedule. The clock of the function that wrote the bark was ahead by the given seconds. */
  async function dogWrittenAhead(aheadSeconds: number): Promise<string> {
    const dog = await sleepingDog();
    await post(dog, 1, { frequency: null }, newContext({ after: aheadSeconds }));
    return dog;
  }

  test.each([2, hour])('by %i s do not hide the future occurrence of a schedule', async (ahead) => {
    const dog = await dogWrittenAhead(ahead);
    const after = Math.min(ahead - 1, 600);
    const [next, last] = [at + after, at + ahead];
    const before = newContext({ after: after - 1 });
    await post(dog, 2, { next, frequency: null }, before);
    expect((await readSchedule(dog, before)).shown).toEqual({ last, next });
    await fire(standingOf(dog), newContext({ after }));
    expect(await shown(dog, after)).toMatchObject({ barkCount: 2, next: null });
    expect((await readSchedule(dog, newContext({ after }))).shown).toEqual({ last, next: null });
  });

  test.each<[string, (dog: string) => Promise<unknown>]>([
    ['DELETE', (dog) => endSchedule(dog, newContext({ after: 1 }))],
    [
      'PATCH',
      async (dog) => {
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
    expect(await shown(dog, 600)).toMatchObject({ barkCount: 1, next: null });
  });

  test("do not delay a schedule that begins now, and do not move back the time of the dog's last bark", async () => {
    const dog = await dogWrittenAhead(hour);
    await post(dog, 2);
    expect((await readSchedule(dog, newContext())).shown).toEqual({ last: at + hour, next: at + 600 });
    await fire(standingOf(dog), newContext({ after: 600 }));
    const previous = [at, at + 600, at + hour];
    expect(await shown(dog, 600)).toEqual({ barkCount: 3, previous, next: at + 1200, frequency: 10 });
    expect((await readSchedule(dog, newContext({ after: 600 }))).shown.last).toBe(at + hour);
  });
});

describe('endSchedule', () => {
  test('makes a read, a single write and the deletion of the schedule', async () => {
    const dog = await sleepingDog();
    await post(dog, 1);
    reset();
    await endSchedule(dog, newContext());
    expect(calls()).toEqual(['GetItem', 'UpdateItem', 'DeleteSchedule']);
  });

  test('ends the schedule once and deletes it if the response to the write is lost', async () => {
    const dog = await sleepingDog();
    await post(dog, 1);
    reset();
    plan('UpdateItem', 'response lost');
    await endSchedule(dog, newContext());
    expect(calls()).toEqual(['GetItem', 'UpdateItem', 'UpdateItem', 'DeleteSchedule']);
    expect([standing(dog), (await shown(dog)).next]).toEqual([[], null]);
    expect((await readDog(dog, newContext())).settingsVersion).toBe(3);
  });

  test.each<[string, (dog: string) => Promise<unknown>]>([
    ['a new schedule replaces it', (dog) => post(dog, 2)],
    ['a client changes the settings', (dog) => putDog(dog, settingsOf('count'), {}, newContext())],
    ['the dog barks at an occurrence', (dog) => fire(standingOf(dog), newContext({ after: 600 }))],
  ])('reads the dog again if %s, and ends the current schedule', async (_, change) => {
    const dog = await sleepingDog();
    await post(dog, 1);
    plan('UpdateItem', () => change(dog));
    await endSchedule(dog, newContext({ after: 600 }));
    expect([standing(dog), (await shown(dog, 600)).next]).toEqual([[], null]);
  });

  test('does not end the schedule of a new dog that replaces the deleted dog in the meantime', async () => {
    const dog = await sleepingDog();
    await post(dog, 1);
    plan('UpdateItem', () => recreateDog(dog));
    await expect(endSchedule(dog, newContext())).rejects.toThrow(NotFound);
  });
});

describe('Concurrent requests', () => {
  test.each<[string, (dog: string) => Promise<string>, object]>([
    ['PATCHes that set a schedule', (dog) => patch(dog, fromNow), { barkCount: 2, next: at + 600 }],
    ['PATCHes that end the schedule', (dog) => patch(dog, { barks: null }), { barkCount: 1, next: null }],
    ['POSTs', (dog) => post(dog, 7), { barkCount: 2, next: at + 600 }],
  ])('that are 20 identical %s are one change and 19 repeats', async (_, send, expected) => {
    const dog = await sleepingDog();
    await post(dog, 1, {}, newContext({ after: -1 }));
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => send(dog)));
    expect(outcomes.toSorted()).toEqual(['changed', ...Array(19).fill('repeated')]);
    const state = await shown(dog);
    expect(state).toMatchObject(expected);
    expect(standing(dog)).toHaveLength(state.next === null ? 0 : 1);
  });

  test('that are the same PATCH are one change and one repeat, even if the repeat reads the changed dog', async () => {
    const dog = await sleepingDog();
    const send = () => patch(dog, fromNow, newContext({ after: 2 }), { since: at });
    plan('BatchGetItem', 'half unprocessed');
    plan('BatchGetItem', send);
    expect(await send()).toBe('repeated');
    expect(await shown(dog)).toMatchObject({ barkCount: 1 });
  });

  test('for different schedules leave exactly one of the schedules', async () => {
    const dog = await sleepingDog();
    const frequencies = [1, 2, 3, 4, 5, 6, 7, 8];
    await Promise.all(frequencies.map((n) => post(dog, n, { next: at + 600 + n, frequency: n })));
    const { next, frequency } = await shown(dog);
    expect(next).toBe(at + 600 + Number(frequency));
    const ScheduleExpression = expect.stringContaining(`(${frequency} `);
    expect(standing(dog)).toMatchObject([{ StartDate: next, ScheduleExpression }]);
  });

  test('for a PUT and a schedule both take effect', async () => {
    const dog = await sleepingDog();
    plan('CreateSchedule', () => putDog(dog, settingsOf('count'), {}, newContext()));
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

// The faults in test/faults occur at every call. These examples explain the protocol of a change.
describe('A change to a schedule', () => {
  test.each([
    ['Unavailable', 'does not respond', 'hangs', Unavailable],
    ['ScheduleRefused', 'refuses the schedule', 'refused', ScheduleRefused],
  ] as const)('throws %s and changes nothing if EventBridge Scheduler %s', async (_, _why, fault, error) => {
    const dog = await sleepingDog();
    plan('CreateSchedule', fault);
    await expect(post(dog, 1, {}, newContext({ milliseconds: 100 }))).rejects.toThrow(error);
    expect(calls()).not.toContain('TransactWriteItems');
    expect(await shown(dog)).toEqual(noSchedule);
  });

  test.each<[string, (dog: string) => Promise<string>, string]>([
    ['that sets it', (dog) => post(dog, 2), 'changed'],
    ['that ends it', (dog) => patch(dog, { barks: null }), 'changed'],
    ['that changes nothing', (dog) => patch(dog, {}), 'unchanged'],
  ])(
    '%s recognizes its own transaction if the response is lost and DynamoDB has forgotten the token',
    async (_, send, outcome) => {
      const dog = await sleepingDog();
      await post(dog, 1, {}, newContext({ after: -1 }));
      plan('TransactWriteItems', 'response and token lost');
      expect([await send(dog), await send(dog)]).toEqual([outcome, 'repeated']);
      expect(standing(dog)).toHaveLength((await shown(dog)).next === null ? 0 : 1);
    },
  );

  test('takes effect with the transaction, even if its response is lost: a repeat changes nothing, and the former schedule fires without effect', async () => {
    const dog = await sleepingDog();
    await post(dog, 1, { next: at + hour });
    const former = standingOf(dog);
    plan('TransactWriteItems', 'response lost', 99);
    const change = { next: at + 7200, frequency: 20 };
    await expect(post(dog, 2, change, newContext({ milliseconds: 300 }))).rejects.toThrow(Unavailable);
    reset();
    expect(await post(dog, 2, change)).toBe('repeated');
    expect(standing(dog)).toHaveLength(2);
    await fire(former, newContext({ after: hour }));
    expect(standing(dog)).toMatchObject([{ StartDate: at + 7200 }]);
    expect(await shown(dog, hour)).toEqual({ ...noSchedule, ...change });
  });

  test('ends the schedule even if EventBridge Scheduler does not delete it, and its next occurrence only deletes it', async () => {
    const dog = await sleepingDog();
    await post(dog, 1);
    plan('DeleteSchedule', 'fails before', 99);
    await endSchedule(dog, newContext());
    expect(logs.warn).toHaveLength(1);
    reset();
    await fire(standingOf(dog), newContext({ after: 600 }));
    expect(standing(dog)).toEqual([]);
    expect((await shown(dog, 600)).barkCount).toBe(1);
  });
});

describe('a precondition', () => {
  const set = (dog: string, precondition: Precondition, token = 7) =>
    postSchedule(dog, { token, next: at + 600, frequency: 10, precondition }, newContext());
  const end = (dog: string, precondition: Precondition) => endSchedule(dog, newContext(), precondition);
  const stateOf = async (dog: string) => [await readDog(dog, newContext())];
  const another = (states: DogState[]) => states.map((state) => ({ ...state, version: state.version + 1 }));

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

  test.each<[string, (states: DogState[]) => Precondition]>([
    ['another state', (states) => ({ match: another(states) })],
    ['no state', () => ({ match: [] })],
    ['that there is no schedule', () => ({ noneMatch: 'any' })],
    ['another state than the current one', (noneMatch) => ({ noneMatch })],
    ['that nothing has changed since an earlier time', () => ({ unmodifiedSince: at - 1 })],
  ])('that requires %s is refused, even if the schedule has ended', async (_, preconditionOf) => {
    const dog = await scheduledDog();
    for (const isEnded of [false, true]) {
      if (isEnded) await endSchedule(dog, newContext());
      const precondition = preconditionOf(await stateOf(dog));
      await expect(set(dog, precondition)).rejects.toThrow(StateMismatch);
      await expect(end(dog, precondition)).rejects.toThrow(StateMismatch);
    }
  });

  test('of a POST that was applied is not checked again', async () => {
    const dog = await scheduledDog();
    const match = await stateOf(dog);
    expect([await set(dog, { match }), await set(dog, { match })]).toEqual(['changed', 'repeated']);
  });

  test('of a POST for a dog without a schedule is met by no tag, and by any date', async () => {
    const dog = await sleepingDog();
    await expect(set(dog, { match: await stateOf(dog) })).rejects.toThrow(StateMismatch);
    await expect(set(dog, { match: 'any' })).rejects.toThrow(StateMismatch);
    expect(await set(dog, { noneMatch: 'any', unmodifiedSince: 0 })).toBe('changed');
  });
});
