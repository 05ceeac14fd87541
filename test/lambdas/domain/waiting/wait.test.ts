import * as fc from 'fast-check';
import type { BarkRequest } from '../../../../lambdas/domain/barks/bark.ts';
import { cancelBark } from '../../../../lambdas/domain/barks/cancel.ts';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import type { Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import { readDog } from '../../../../lambdas/domain/dogs/read.ts';
import { NotFound } from '../../../../lambdas/domain/platform/errors.ts';
import { purgeDog } from '../../../../lambdas/domain/removal/purge.ts';
import { readBarkAndWait } from '../../../../lambdas/domain/waiting/read-bark.ts';
import { barkAndWait, pausesOf, waitTimer } from '../../../../lambdas/domain/waiting/wait.ts';
import { acceptBark } from '../../../support/barks.ts';
import { newContext } from '../../../support/context.ts';
import { newDog } from '../../../support/dogs.ts';
import { plan, reset, started, useFunctions } from '../../../support/faults.ts';
import { useLogs } from '../../../support/logs.ts';
import { duringPauses, skipPauses } from '../../../support/pauses.ts';

useFunctions();
skipPauses();
const logs = useLogs();

/** The cancellation window of the tests, in milliseconds. */
const windowMs = 5_000;

/** Returns limits with which the rest of the invocation is always the same. */
const limitsOf = (seconds: number, leftMs = 23_000) => ({ seconds, timeLeftMs: () => leftMs });

const sumOf = (pauses: readonly number[]) => pauses.reduce((sum, pause) => sum + pause, 0);

async function dogWith(handling: 'sync' | 'async', ...effects: Effect[]): Promise<string> {
  const dog = await newDog(handling, effects);
  reset();
  return dog;
}

function barkOf(dog: string): string {
  return started(dog).at(-1)?.bark ?? '';
}

describe('pausesOf', () => {
  test.each([
    [20_000, 0, [250, 375, 563, 844, 1266, 1898, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 805]],
    [10_000, 5_000, [5250, 375, 563, 844, 1266, 1703]],
    [0, 5_000, []],
    [-1, 5_000, []],
    [100, 0, [100]],
    [3_000, 5_000, [3_000]],
    [5_250, 5_000, [5_250]],
  ])('returns for a wait of %i ms and a window of %i ms the pauses %j', (waitMs, leftMs, pauses) => {
    expect(pausesOf(waitMs, leftMs).map(Math.round)).toEqual(pauses);
  });

  test('returns positive pauses that add up to the wait', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 22_000 }), fc.nat({ max: 30_000 }), (waitMs, leftMs) => {
        const pauses = pausesOf(waitMs, leftMs);
        expect(sumOf(pauses)).toBeCloseTo(waitMs);
        expect(Math.min(...pauses)).toBeGreaterThan(0);
        expect(pauses.length).toBeLessThanOrEqual(15);
      }),
    );
  });
});

test.each([
  ['the rest of the wait', 10, 23_000, 21_000, 8_000],
  ['0 without a wait', 0, 23_000, 23_000, 0],
  ['less than 0 without a wait, after some time', 0, 23_000, 22_990, -10],
  ['less than 0 after the end of the wait', 3, 23_000, 15_000, -5_000],
  ['the time until two seconds before the end of the invocation', 20, 10_000, 9_000, 7_000],
  ['less than 0 shortly before the end of the invocation', 20, 10_000, 1_000, -1_000],
])('waitTimer returns %s', (_, seconds, atFirst, later, expected) => {
  let leftMs = atFirst;
  const waitMs = waitTimer({ seconds, timeLeftMs: () => leftMs });
  leftMs = later;
  expect(waitMs()).toBe(expected);
});

describe('barkAndWait', () => {
  const asked: BarkRequest = { isAsync: true };

  function bark(dog: string, request: BarkRequest = asked, limits = limitsOf(20), context = newContext()) {
    return barkAndWait(limits, (limited) => createBark(dog, request, limited), context);
  }

  test('makes no call after the acceptance, and logs nothing, if the acceptance takes longer than the wait', async () => {
    const dog = await dogWith('async', 'record');
    let leftMs = 23_000;
    const pauses = duringPauses();
    plan('TransactWriteItems', async () => {
      leftMs -= 8_000;
    });
    const limits = { seconds: 3, timeLeftMs: () => leftMs };
    expect((await bark(dog, {}, limits)).outcome.kind).toBe('accepted');
    expect([pauses, logs.warn]).toEqual([[], []]);
  });

  test('returns accepted and logs the cause if a check fails', async () => {
    const dog = await dogWith('async', 'record');
    const pauses = duringPauses(async () => plan('GetItem', 'fails before', 1_000));
    expect((await bark(dog, {})).outcome).toMatchObject({ kind: 'accepted' });
    expect(pauses).toHaveLength(1);
    const warning = `The wait for the bark "${barkOf(dog)}" ended early. Cause: Unavailable:`;
    expect(logs.warn).toEqual([expect.stringContaining(warning)]);
  });

  test('returns the failed bark at once if the dog is deleted and purged during the wait', async () => {
    const dog = await dogWith('async', 'record');
    const pauses = duringPauses(async () => {
      const { incarnation } = await readDog(dog, newContext());
      await deleteDog(dog, {}, newContext());
      await purgeDog({ id: dog, incarnation }, newContext());
    });
    expect((await bark(dog, {})).outcome).toEqual({
      kind: 'notPerformed',
      bark: {
        id: barkOf(dog),
        dog,
        timestamp: null,
        status: 'failed',
        reason: 'The dog was deleted.',
        seeDog: false,
      },
    });
    expect(pauses).toHaveLength(1);
  });

  test.each([
    ['two seconds earlier', 2, windowMs - 2_000 + 250],
    ['an hour ahead', -3_600, windowMs + 250],
    ['an hour behind', 3_600, 250],
  ])(
    'begins its checks at the end of the cancellation window of the first request with its key: %s',
    async (_, after, pause) => {
      const dog = await dogWith('async', 'record');
      const request = { key: { user: 'jane', resource: 'barks', value: 'once' } as const };
      await bark(dog, request, limitsOf(0));
      const { bark: id } = started(dog)[0] ?? { bark: '' };
      const pauses = duringPauses(() => cancelBark(dog, id, newContext()));
      await bark(dog, request, limitsOf(20), newContext({ after }));
      expect(pauses).toEqual([pause]);
    },
  );
});

describe('readBarkAndWait', () => {
  async function pendingBark(): Promise<[dog: string, bark: string]> {
    const dog = await dogWith('async', 'record');
    const bark = await acceptBark(dog);
    reset();
    return [dog, bark];
  }

  test('returns the bark as it was at first if a later read fails', async () => {
    const [dog, bark] = await pendingBark();
    duringPauses(async () => plan('BatchGetItem', 'fails before', 1_000));
    const result = await readBarkAndWait(dog, bark, limitsOf(20), newContext());
    expect(result).toMatchObject({ bark: { status: 'pending' }, wasPending: true });
    expect(logs.warn).toHaveLength(1);
  });

  test('throws NotFound if the dog is deleted during the wait', async () => {
    const [dog, bark] = await pendingBark();
    duringPauses(async (nth) => nth === 2 && deleteDog(dog, {}, newContext()));
    await expect(readBarkAndWait(dog, bark, limitsOf(20), newContext())).rejects.toThrow(NotFound);
    expect(logs.warn).toEqual([]);
  });
});
