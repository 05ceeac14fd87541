import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { cancelBark } from '../../../../lambdas/domain/barks/cancel.ts';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { sortKey } from '../../../../lambdas/domain/barks/keys.ts';
import { performBark } from '../../../../lambdas/domain/barks/perform.ts';
import {
  hasBarked,
  isUnchangedSince,
  listBarks,
  readDogView,
  readLastBark,
} from '../../../../lambdas/domain/barks/queries.ts';
import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import { StateMismatch } from '../../../../lambdas/domain/dogs/precondition.ts';
import { readDog } from '../../../../lambdas/domain/dogs/read.ts';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import { postSchedule } from '../../../../lambdas/domain/schedules/change.ts';
import { acceptBark } from '../../../support/barks.ts';
import { at, newContext } from '../../../support/context.ts';
import { giveBarks, newDog, recreateDog } from '../../../support/dogs.ts';
import { calls, reset, useFunctions } from '../../../support/faults.ts';

useFunctions();

const minute = 60;

/** Returns true if a dog that a client reads at one time is unchanged since another time. Times are in seconds after noon. */
async function isUnchanged(dog: string, { since, shownAt = since }: { since: number; shownAt?: number }) {
  const context = newContext({ after: shownAt });
  return isUnchangedSince(await readDogView(dog, context), at + since, context);
}

async function quietDog(): Promise<string> {
  const dog = await newDog('sync', ['record']);
  await createBark(dog, {}, newContext());
  return dog;
}

/** Stores pending markers of a dog, whose deadlines are a second apart. The first one is `firstDeadline` seconds after noon. */
async function giveMarkers(dog: string, count: number, firstDeadline: number): Promise<void> {
  const { incarnation } = await readDog(dog, newContext());
  const puts = Array.from({ length: count }, (_, n) => {
    const expires = at + firstDeadline + n;
    const sk = sortKey('pendingMarker', `${expires}#${n}`);
    return { Put: { TableName: process.env.BARKS_TABLE, Item: { dog, sk, incarnation, expires } } };
  });
  for (let first = 0; first < count; first += 100)
    await database.send(new TransactWriteCommand({ TransactItems: puts.slice(first, first + 100) }));
}

const accept = (dog: string) => acceptBark(dog, newContext({ after: 5 }));

describe('readDogView', () => {
  test.each<[string, number, number, string[]]>([
    ['no pending bark', 0, 100, ['GetItem', 'Query']],
    ['20 pending barks', 20, 100, ['GetItem', 'Query']],
    ['21 pending barks', 21, 100, ['GetItem', 'Query', 'Query']],
    ['more pending barks than a query reads', 121, 100, ['GetItem', 'Query', 'Query']],
    ['20 pending barks and few past barks', 20, 3, ['GetItem', 'Query']],
  ])('shows the latest barks of a dog with %s', async (_, pending, past, made) => {
    const dog = await newDog('sync', ['record']);
    await Promise.all([giveBarks(dog, past + 1), giveMarkers(dog, pending, 1)]);
    reset();
    const { previous, barking } = await readDogView(dog, newContext());
    const newest = at + past * 60;
    const shown = Math.min(past + 1, 100);
    expect(previous).toEqual(Array.from({ length: shown }, (_, n) => newest - 60 * (shown - 1 - n)));
    expect(barking).toBe(pending > 0);
    expect(calls()).toEqual(made);
  });

  test('ignores markers whose deadline has passed, however many there are', async () => {
    const dog = await newDog('sync', ['record']);
    await Promise.all([giveBarks(dog, 2), giveMarkers(dog, 121, -120)]);
    const { previous, barking } = await readDogView(dog, newContext());
    expect({ barks: previous.length, barking }).toEqual({ barks: 2, barking: false });
  });
});

test('A dog is unchanged since its last bark, and changed since one second before that bark', async () => {
  const dog = await quietDog();
  expect(await isUnchanged(dog, { since: 0, shownAt: 10 })).toBe(true);
  expect(await isUnchanged(dog, { since: -1, shownAt: 10 })).toBe(false);
});

test('A dog is changed while an asynchronous bark is pending, even though the bark has not written the dog yet', async () => {
  const dog = await quietDog();
  await accept(dog);
  expect(await isUnchanged(dog, { since: 6 })).toBe(false);
});

test('A dog is changed after a cancelled bark, because the client may have seen the bark pending', async () => {
  const dog = await quietDog();
  await cancelBark(dog, await accept(dog), newContext({ after: 6 }));
  expect(await isUnchanged(dog, { since: 5, shownAt: 20 * minute })).toBe(false);
});

test('A dog is unchanged since the deadline of its last asynchronous bark', async () => {
  const dog = await quietDog();
  await performBark(dog, await accept(dog), newContext({ after: 10 }));
  const deadline = 5 + 5 + 15 * minute;
  expect(await isUnchanged(dog, { since: deadline - 1 })).toBe(false);
  expect(await isUnchanged(dog, { since: deadline })).toBe(true);
});

test('A dog is changed when an occurrence is lost and the dog shows the next one', async () => {
  const dog = await quietDog();
  await postSchedule(dog, { token: 1, next: at + minute, frequency: 60 }, newContext());
  expect(await isUnchanged(dog, { since: 0, shownAt: 30 })).toBe(true);
  expect(await isUnchanged(dog, { since: minute, shownAt: 10 * minute })).toBe(false);
});

test('isUnchangedSince makes one query, and no query for a dog that has been written since', async () => {
  const dog = await quietDog();
  const shown = await readDogView(dog, newContext());
  reset();
  await isUnchangedSince(shown, at - 1, newContext());
  expect(calls()).toEqual([]);
  await isUnchangedSince(shown, at, newContext());
  expect(calls()).toEqual(['Query']);
});

test('A dog is changed while its Last-Modified is in the future', async () => {
  const dog = await newDog('sync', ['record']);
  await createBark(dog, {}, newContext({ after: 4 }));
  await createBark(dog, {}, newContext({ after: 1 }));
  expect(await isUnchanged(dog, { since: 4, shownAt: 2 })).toBe(false);
});

test.each([10, 240, 3600])(
  'A bark moves a Last-Modified that is %i s ahead, so that no date precondition misses the bark',
  async (ahead) => {
    const dog = await newDog('sync', ['record']);
    await createBark(dog, {}, newContext({ after: ahead }));
    await createBark(dog, {}, newContext({ after: 1 }));
    expect(await isUnchanged(dog, { since: ahead, shownAt: 7200 })).toBe(false);
    const precondition = { unmodifiedSince: at + ahead };
    await expect(deleteDog(dog, precondition, newContext({ after: 2 }))).rejects.toThrow(StateMismatch);
  },
);

describe('A dog that was deleted and created again, before its old barks are purged', () => {
  /** Creates a dog with barks that ended some seconds before it was deleted and created again. */
  async function recreated(old: {
    barks: number;
    intervalMs: number;
    endedSecondsAgo: number;
    /** Additional attributes of the barks. */
    more?: object;
  }) {
    const { barks, intervalMs, endedSecondsAgo, more } = old;
    const dog = await newDog('sync', ['record']);
    const first = (at - endedSecondsAgo) * 1000 - (barks - 1) * intervalMs;
    await giveBarks(dog, barks, more, { first, intervalMs });
    await recreateDog(dog);
    return dog;
  }

  async function allBarks(dog: string): Promise<number[]> {
    const timestamps: number[] = [];
    let after: string | undefined;
    do {
      const page = await listBarks(dog, { limit: 20, ...(after && { after }) }, newContext());
      timestamps.push(...page.barks.map(({ timestamp }) => timestamp ?? 0));
      after = page.next;
    } while (after);
    return timestamps;
  }

  const reads: readonly [string, (dog: string) => Promise<unknown>][] = [
    ['readDogView', async (dog) => (await readDogView(dog, newContext())).previous],
    ['readLastBark', (dog) => readLastBark(dog, newContext()).catch(({ what }) => what)],
    ['hasBarked', async (dog) => hasBarked(await readDog(dog, newContext()), newContext())],
    ['listBarks', (dog) => listBarks(dog, { limit: 20 }, newContext())],
  ];
  const nothing = [[], 'bark of the dog', false, { barks: [] }];

  test('is read with one query, however often the old dog barked', async () => {
    const dog = await recreated({ barks: 2_000, intervalMs: 1_000, endedSecondsAgo: 301 });
    for (const [i, [name, read]] of reads.entries()) {
      reset();
      expect([name, await read(dog)]).toEqual([name, nothing[i]]);
      expect([name, calls()]).toEqual([name, ['GetItem', 'Query']]);
    }
  });

  test('is read with few queries, even if the old dog barked very often in its last minutes', async () => {
    // DynamoDB reads 1 MB at a time, so this is as much as 20,000 barks of the usual size.
    const more = { claim: 'x'.repeat(1_000) };
    const dog = await recreated({ barks: 2_000, intervalMs: 100, endedSecondsAgo: 0, more });
    for (const [i, [name, read]] of reads.entries()) {
      reset();
      expect([name, await read(dog)]).toEqual([name, nothing[i]]);
      expect(calls().filter((call) => call === 'Query').length).toBeLessThanOrEqual(4);
    }
  });

  test('shows all its own barks, even those whose function had a clock up to five minutes behind', async () => {
    const dog = await recreated({ barks: 250, intervalMs: 1_000, endedSecondsAgo: 0 });
    await giveBarks(dog, 120, {}, { first: (at - 300) * 1000, intervalMs: 5_000 });
    const own = Array.from({ length: 120 }, (_, n) => at - 300 + n * 5);
    expect((await readDogView(dog, newContext())).previous).toEqual(own.slice(-100));
    expect(await readLastBark(dog, newContext())).toMatchObject({ timestamp: own.at(-1) });
    expect(await allBarks(dog)).toEqual(own.reverse());
  });

  test('shows its barks although a wrong clock created it years ahead', async () => {
    const dog = await newDog('sync', ['record']);
    await giveBarks(dog, 250, {}, { first: Date.UTC(2020, 0) });
    expect((await readDogView(dog, newContext())).previous).toHaveLength(100);
    expect(await allBarks(dog)).toHaveLength(250);
  });
});
