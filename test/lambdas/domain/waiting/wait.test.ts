import * as fc from 'fast-check';
import type { Bark, BarkRequest } from '../../../../lambdas/domain/barks/bark.ts';
import { cancelBark } from '../../../../lambdas/domain/barks/cancel.ts';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import type { Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import { readDog } from '../../../../lambdas/domain/dogs/read.ts';
import { NotFound } from '../../../../lambdas/domain/platform/errors.ts';
import { purgeDog } from '../../../../lambdas/domain/removal/purge.ts';
import { awaitBark } from '../../../../lambdas/domain/waiting/read-bark.ts';
import { awaitOutcome, pausesOf, waitTimer } from '../../../../lambdas/domain/waiting/wait.ts';
import { newContext } from '../../../support/context.ts';
import { newDog } from '../../../support/dogs.ts';
import { duringPauses } from '../../../support/during-pauses.ts';
import { plan, reset, useFunctions } from '../../../support/faults.ts';
import { useLogs } from '../../../support/logs.ts';
import { skipPauses } from '../../../support/pauses.ts';

useFunctions();
skipPauses();
const logs = useLogs();

/** The cancellation window of the tests, in milliseconds. */
const windowMs = 5_000;

const longestWaitMs = 20_000;

const sumOf = (pauses: readonly number[]) => pauses.reduce((sum, pause) => sum + pause, 0);

async function dogWith(handling: 'sync' | 'async', ...effects: Effect[]): Promise<string> {
  const dog = await newDog(handling, effects);
  reset();
  return dog;
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
  ['the rest of the wait', 10, 25_000, 23_000, 8_000],
  ['0 without a wait', 0, 25_000, 25_000, 0],
  ['less than 0 without a wait, after some time', 0, 25_000, 24_990, -10],
  ['less than 0 after the end of the wait', 3, 25_000, 17_000, -5_000],
  ['the time until four seconds before the end of the invocation', 20, 12_000, 11_000, 7_000],
  ['less than 0 shortly before the end of the invocation', 20, 12_000, 3_000, -1_000],
])('waitTimer returns %s', (_, seconds, atFirst, later, expected) => {
  let leftMs = atFirst;
  const waitMs = waitTimer(seconds, () => leftMs);
  leftMs = later;
  expect(waitMs()).toBe(expected);
});

async function accepted(dog: string, request: BarkRequest = {}, context = newContext()): Promise<Bark> {
  const outcome = await createBark(dog, request, context);
  if (outcome.kind !== 'accepted') throw new Error(`The bark was ${outcome.kind}.`);
  return outcome.bark;
}

describe('awaitOutcome', () => {
  test('makes no call and logs nothing without time to wait', async () => {
    const bark = await accepted(await dogWith('async', 'record'));
    const pauses = duringPauses();
    for (const waitMs of [0, -5_000]) expect(await awaitOutcome(bark, waitMs, newContext())).toBeUndefined();
    expect([pauses, logs.warn]).toEqual([[], []]);
  });

  test('returns undefined and logs the cause if a check fails', async () => {
    const bark = await accepted(await dogWith('async', 'record'));
    const pauses = duringPauses(async () => plan('GetItem', 'fails before', 1_000));
    expect(await awaitOutcome(bark, longestWaitMs, newContext())).toBeUndefined();
    expect(pauses).toHaveLength(1);
    const warning = `The wait for the bark "${bark.id}" ended early. Cause: Unavailable:`;
    expect(logs.warn).toEqual([expect.stringContaining(warning)]);
  });

  test('returns the failed bark at once if the dog is deleted and purged during the wait', async () => {
    const dog = await dogWith('async', 'record');
    const bark = await accepted(dog);
    const pauses = duringPauses(async () => {
      const { incarnation } = await readDog(dog, newContext());
      await deleteDog(dog, {}, newContext());
      await purgeDog({ id: dog, incarnation }, newContext());
    });
    expect(await awaitOutcome(bark, longestWaitMs, newContext())).toEqual({
      kind: 'notPerformed',
      bark: {
        id: bark.id,
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
      const { id } = await accepted(dog, request);
      const pauses = duringPauses(() => cancelBark(dog, id, newContext()));
      const later = newContext({ after });
      await awaitOutcome(await accepted(dog, request, later), longestWaitMs, later);
      expect(pauses).toEqual([pause]);
    },
  );
});

describe('awaitBark', () => {
  async function pendingBark(): Promise<Bark> {
    const bark = await accepted(await dogWith('async', 'record'));
    reset();
    return bark;
  }

  test('returns undefined if a read fails', async () => {
    const bark = await pendingBark();
    duringPauses(async () => plan('BatchGetItem', 'fails before', 1_000));
    expect(await awaitBark(bark, longestWaitMs, newContext())).toBeUndefined();
    expect(logs.warn).toHaveLength(1);
  });

  test('throws NotFound if the dog is deleted during the wait', async () => {
    const bark = await pendingBark();
    duringPauses(async (nth) => nth === 2 && deleteDog(bark.dog, {}, newContext()));
    await expect(awaitBark(bark, longestWaitMs, newContext())).rejects.toThrow(NotFound);
    expect(logs.warn).toEqual([]);
  });
});
