import { cancelBark } from '../../../../lambdas/domain/barks/async/cancel.ts';
import { performBark } from '../../../../lambdas/domain/barks/async/perform.ts';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { isUnchangedSince, readDogView } from '../../../../lambdas/domain/barks/queries.ts';
import { deleteDog } from '../../../../lambdas/domain/dogs/repository.ts';
import { PreconditionFailed } from '../../../../lambdas/domain/platform/errors.ts';
import { postSchedule } from '../../../../lambdas/domain/schedules/post.ts';
import { useDatabase } from '../../../support/database.ts';
import { newDog } from '../../../support/dogs.ts';
import { calls, injectFaults, reset } from '../../../support/faults.ts';

useDatabase();
beforeAll(injectFaults);
beforeEach(reset);

const now = Date.UTC(2026, 10, 21, 12);
const at = now / 1000;
const minute = 60;

function newContext(after = 0) {
  return { now: now + after * 1000, signal: AbortSignal.timeout(8_000) };
}

/** Returns true if a dog that a client reads at one time is unchanged since another time. Times are in seconds after noon. */
async function isUnchanged(dog: string, { since, shownAt = since }: { since: number; shownAt?: number }) {
  return isUnchangedSince(await readDogView(dog, newContext(shownAt)), at + since, newContext(shownAt));
}

/** Returns a dog that has barked at noon and has no schedule. */
async function quietDog(): Promise<string> {
  const dog = await newDog('sync', ['record']);
  await createBark(dog, {}, newContext());
  return dog;
}

async function acceptedBark(dog: string): Promise<string> {
  const outcome = await createBark(dog, { isAsync: true }, newContext(5));
  if (outcome.kind !== 'accepted') throw new Error(`The bark was ${outcome.kind}.`);
  return outcome.bark.id;
}

test('A dog is unchanged since its last bark, and changed since one second before that bark', async () => {
  const dog = await quietDog();
  expect(await isUnchanged(dog, { since: 0, shownAt: 10 })).toBe(true);
  expect(await isUnchanged(dog, { since: -1, shownAt: 10 })).toBe(false);
});

test('A dog is changed while an asynchronous bark is pending, even though the bark has not written the dog yet', async () => {
  const dog = await quietDog();
  await acceptedBark(dog);
  expect(await isUnchanged(dog, { since: 6 })).toBe(false);
});

test('A dog is changed after a cancelled bark, because the client may have seen the bark pending', async () => {
  const dog = await quietDog();
  await cancelBark(dog, await acceptedBark(dog), newContext(6));
  expect(await isUnchanged(dog, { since: 5, shownAt: 20 * minute })).toBe(false);
});

test('A dog is unchanged since the deadline of its last asynchronous bark', async () => {
  const dog = await quietDog();
  await performBark(dog, await acceptedBark(dog), 'run', newContext(10));
  expect(await isUnchanged(dog, { since: 20 * minute })).toBe(true);
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
  await createBark(dog, {}, newContext(4));
  await createBark(dog, {}, newContext(1));
  expect(await isUnchanged(dog, { since: 4, shownAt: 2 })).toBe(false);
});

test.each([10, 240, 3600])(
  'A bark moves a Last-Modified that is %i s ahead, so that no date precondition misses the bark',
  async (ahead) => {
    const dog = await newDog('sync', ['record']);
    await createBark(dog, {}, newContext(ahead));
    await createBark(dog, {}, newContext(1));
    expect(await isUnchanged(dog, { since: ahead, shownAt: 7200 })).toBe(false);
    const precondition = { unmodifiedSince: at + ahead };
    await expect(deleteDog(dog, precondition, newContext(2))).rejects.toThrow(PreconditionFailed);
  },
);
