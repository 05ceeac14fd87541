import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { sortKey } from '../../../../lambdas/domain/barks/keys.ts';
import { purgeOrphans } from '../../../../lambdas/domain/dogs/orphans.ts';
import { deleteDog, putDog, readDog } from '../../../../lambdas/domain/dogs/repository.ts';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import { Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { postSchedule } from '../../../../lambdas/domain/schedules/post.ts';
import { useDatabase } from '../../../support/database.ts';
import { calls, injectFaults, plan, reset } from '../../../support/faults.ts';

useDatabase();
beforeAll(injectFaults);
beforeEach(reset);
afterEach(async () => {
  reset();
  await purgeOrphans(newContext);
});

function newContext(milliseconds = 8_000) {
  return { now: Date.now(), signal: AbortSignal.timeout(milliseconds) };
}

const settings = {
  email: undefined,
  owner: undefined,
  barkEffects: ['record'],
  barkHandling: 'sync',
} as const;
const put = (dog: string) => putDog(dog, { ...settings, barkEffects: ['record'] }, {}, newContext());
const remove = (dog: string) => deleteDog(dog, {}, newContext());

async function barkTimes(dog: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await createBark(dog, {}, newContext());
}

/** Returns the dog ID and the incarnation of each item in the table Barks. */
async function owners(): Promise<string[]> {
  const { Items = [] } = await database.send(new ScanCommand({ TableName: process.env.BARKS_TABLE }));
  return Items.map(({ dog, incarnation }) => `${dog} ${incarnation}`).sort();
}

test('Orphans of each item type are purged, and the items of existing dogs are kept', async () => {
  await put('gone');
  await barkTimes('gone', 2);
  await createBark('gone', { isAsync: true }, newContext());
  await postSchedule('gone', { token: 1, next: 0, frequency: 10 }, newContext());
  await remove('gone');
  await put('new');
  await barkTimes('new', 3);
  await remove('new');
  await put('new');
  await barkTimes('new', 1);
  await put('old');
  await barkTimes('old', 1);
  // The dog "gone" leaves two history entries, an asynchronous bark, its marker, a scheduled bark and an applied change. The
  // dog "new" leaves three history entries.
  expect(await purgeOrphans(newContext)).toEqual({ dogs: 2, items: 9 });
  const dogs = await Promise.all(['new', 'old'].map((dog) => readDog(dog, newContext())));
  expect(await owners()).toEqual(dogs.map(({ id, incarnation }) => `${id} ${incarnation}`));
  expect(await purgeOrphans(newContext)).toEqual({ dogs: 0, items: 0 });
  await remove('new');
  await remove('old');
});

test('A dog that is created during the purge loses no items', async () => {
  await put('rex');
  await barkTimes('rex', 2);
  await remove('rex');
  // The dog is created after the purge reads the items and before it reads the dog.
  plan('GetItem', async () => {
    reset();
    await put('rex');
    await barkTimes('rex', 1);
  });
  expect(await purgeOrphans(newContext)).toEqual({ dogs: 1, items: 2 });
  const { incarnation } = await readDog('rex', newContext());
  expect(await owners()).toEqual([`rex ${incarnation}`]);
  await remove('rex');
});

test('A dog that is created after the scan has begun keeps its items', async () => {
  plan('Scan', async () => {
    reset();
    await put('rex');
    await barkTimes('rex', 1);
  });
  expect(await purgeOrphans(newContext)).toEqual({ dogs: 0, items: 0 });
  expect(await owners()).toHaveLength(1);
  await remove('rex');
});

test('A purge that was stopped can be called again', async () => {
  for (const dog of ['a', 'b']) {
    await put(dog);
    await barkTimes(dog, 3);
    await remove(dog);
  }
  plan('DeleteItem', 'hangs', 99);
  await expect(purgeOrphans(() => newContext(200))).rejects.toThrow(Unavailable);
  reset();
  expect(await purgeOrphans(newContext)).toEqual({ dogs: 2, items: 6 });
  expect(await owners()).toEqual([]);
});

test('A table with many pages is scanned to its end, and each dog is purged once', async () => {
  const stuff = 'x'.repeat(100_000);
  for (let i = 0; i < 25; i++) {
    const Item = { dog: `dog-${i % 5}`, sk: sortKey('historyEntry', i), incarnation: 'former', stuff };
    await database.send(new PutCommand({ TableName: process.env.BARKS_TABLE, Item }));
  }
  reset();
  expect(await purgeOrphans(newContext)).toEqual({ dogs: 5, items: 25 });
  expect(calls().filter((operation) => operation === 'Scan').length).toBeGreaterThan(1);
});
