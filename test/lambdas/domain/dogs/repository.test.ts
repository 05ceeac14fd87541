import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import type { DogSettings } from '../../../../lambdas/domain/dogs/dog.ts';
import type { DogState, Precondition } from '../../../../lambdas/domain/dogs/precondition.ts';
import { purgeDog } from '../../../../lambdas/domain/dogs/purge.ts';
import { deleteDog, listDogs, putDog, readDog } from '../../../../lambdas/domain/dogs/repository.ts';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import { NotFound, PreconditionFailed } from '../../../../lambdas/domain/platform/errors.ts';
import { useDatabase } from '../../../support/database.ts';
import { calls, injectFaults, plan, reset } from '../../../support/faults.ts';

useDatabase();
beforeAll(injectFaults);
beforeEach(reset);

const recording: DogSettings = {
  email: undefined,
  owner: undefined,
  barkEffects: ['record'],
  barkHandling: 'sync',
};
const counting: DogSettings = { ...recording, barkEffects: ['count'] };
const noon = Date.UTC(2026, 10, 21, 12);
let ids = 0;

function newContext(now = noon) {
  return { now, signal: AbortSignal.timeout(8_000) };
}

function newId(): string {
  return `dog-${ids++}`;
}

describe('putDog', () => {
  test('creates a dog and returns it, with one call', async () => {
    const id = newId();
    expect(await putDog(id, recording, {}, newContext())).toMatchObject({ id, version: 1, barkCount: 0 });
    expect(calls()).toEqual(['UpdateItem']);
  });

  test('replaces the settings of an existing dog and keeps its barkCount and incarnation', async () => {
    const id = newId();
    await putDog(id, { ...recording, email: 'a@example.com' }, {}, newContext());
    await createBark(id, {}, newContext());
    const before = await readDog(id, newContext());
    expect(await putDog(id, recording, {}, newContext())).toBeUndefined();
    const after = await readDog(id, newContext());
    expect(after).toMatchObject({
      incarnation: before.incarnation,
      barkCount: 1,
      version: 3,
      settingsVersion: 2,
    });
    expect(after.settings.email).toBeUndefined();
  });

  test('returns the new dog even if the response to the first attempt is lost', async () => {
    const id = newId();
    plan('UpdateItem', 'response lost');
    expect(await putDog(id, recording, {}, newContext())).toMatchObject({ id });
  });

  test('sets a Last-Modified that a later bark never moves back, even if its clock is behind', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext(noon + 60_000));
    await createBark(id, {}, newContext(noon));
    expect((await readDog(id, newContext())).lastModified).toBe(noon / 1000 + 61);
  });

  test('moves a Last-Modified that is ahead of the clock, so that a client can see the change', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    await createBark(id, {}, newContext(noon + 240_000));
    const { lastModified: unmodifiedSince } = await readDog(id, newContext());
    const settingsOf = (name: string) => ({ ...recording, email: `${name}@example.com` });
    await Promise.all(['b', 'c'].map((name) => putDog(id, settingsOf(name), {}, newContext(noon + 60_000))));
    expect((await readDog(id, newContext())).lastModified).toBe(unmodifiedSince + 2);
    const late = putDog(id, settingsOf('a'), { unmodifiedSince }, newContext(noon + 120_000));
    await expect(late).rejects.toThrow(PreconditionFailed);
  });

  test('does not move a Last-Modified that is one second ahead of the clock', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext(noon + 1_000));
    await putDog(id, counting, {}, newContext(noon));
    expect((await readDog(id, newContext())).lastModified).toBe(noon / 1000 + 1);
  });
});

describe('putDog, with the current settings of the dog,', () => {
  const settings: DogSettings = {
    email: 'dog@example.com',
    owner: undefined,
    barkEffects: ['emailDog', 'record'],
    barkHandling: 'async',
  };

  async function putTwice(precondition: (dog: DogState) => Precondition) {
    const id = newId();
    await putDog(id, settings, {}, newContext());
    const before = await readDog(id, newContext());
    const again = putDog(id, settings, precondition(before), newContext(noon + 60_000));
    return { id, before, again };
  }

  test('does not change the version or Last-Modified', async () => {
    const { id, before, again } = await putTwice(() => ({}));
    expect(await again).toBeUndefined();
    expect(await readDog(id, newContext())).toEqual(before);
  });

  test('changes nothing even if a function whose clock is ahead has written the dog', async () => {
    const id = newId();
    await putDog(id, settings, {}, newContext(noon + 3_600_000));
    const before = await readDog(id, newContext());
    expect(await putDog(id, settings, {}, newContext())).toBeUndefined();
    expect(await readDog(id, newContext())).toEqual(before);
  });

  test.each<[string, (dog: DogState) => Precondition]>([
    ['If-Match with the state of the dog', (dog) => ({ match: [{ ...dog, version: 99 }, dog] })],
    ['If-Unmodified-Since with the time of the dog', () => ({ unmodifiedSince: noon / 1000 })],
  ])('succeeds under %s', async (_, precondition) => {
    const { again } = await putTwice(precondition);
    expect(await again).toBeUndefined();
  });

  test.each<[string, (dog: DogState) => Precondition]>([
    ['If-Match with another state', (dog) => ({ match: [{ ...dog, version: 99 }] })],
    ['If-None-Match: *', () => ({ noneMatch: 'any' })],
    ['If-Unmodified-Since with an earlier time', () => ({ unmodifiedSince: noon / 1000 - 1 })],
  ])('fails under %s', async (_, precondition) => {
    const { id, before, again } = await putTwice(precondition);
    await expect(again).rejects.toThrow(PreconditionFailed);
    expect(await readDog(id, newContext())).toEqual(before);
  });

  test('replaces the dog if only the order of its effects differs', async () => {
    const { id, again } = await putTwice(() => ({}));
    await again;
    await putDog(id, { ...settings, barkEffects: ['record', 'emailDog'] }, {}, newContext());
    expect((await readDog(id, newContext())).version).toBe(2);
  });
});

describe('A precondition of putDog and deleteDog', () => {
  const preconditions = {
    'the current state': (state: { incarnation: string; version: number }) => ({ match: [state] }),
    'one of several states': (state: { incarnation: string; version: number }) => ({
      match: [{ ...state, version: 99 }, state],
    }),
    'an existing dog': () => ({ match: 'any' as const }),
    'no change since the last change': () => ({ unmodifiedSince: noon / 1000 }),
    'that another state is not the current one': (state: { incarnation: string; version: number }) => ({
      noneMatch: [{ ...state, version: 99 }],
    }),
  };

  test.each(Object.entries(preconditions))('that requires %s is met', async (_, preconditionOf) => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    await putDog(id, counting, preconditionOf(await readDog(id, newContext())), newContext());
    await deleteDog(id, preconditionOf(await readDog(id, newContext())), newContext());
    await expect(readDog(id, newContext())).rejects.toThrow(NotFound);
  });

  const failing = {
    'no change since a time before the last change': () => ({
      unmodifiedSince: noon / 1000 - 1,
    }),
    'an older state': (state: { incarnation: string; version: number }) => ({
      match: [{ ...state, version: 0 }],
    }),
    'a former incarnation': (state: { incarnation: string; version: number }) => ({
      match: [{ ...state, incarnation: 'other' }],
    }),
    'one of no states': () => ({ match: [] }),
    'that no dog exists': () => ({ noneMatch: 'any' as const }),
    'that the current state is another one': (state: { incarnation: string; version: number }) => ({
      noneMatch: [state],
    }),
  };

  test.each(Object.entries(failing))(
    'that requires %s fails, and nothing changes',
    async (_, preconditionOf) => {
      const id = newId();
      await putDog(id, recording, {}, newContext());
      const before = await readDog(id, newContext());
      await expect(
        putDog(id, { ...recording, barkEffects: ['count'] }, preconditionOf(before), newContext()),
      ).rejects.toThrow(PreconditionFailed);
      await expect(deleteDog(id, preconditionOf(before), newContext())).rejects.toThrow(PreconditionFailed);
      expect(await readDog(id, newContext())).toEqual(before);
    },
  );

  test('that requires no change since a time does not prevent putDog from creating a dog', async () => {
    const id = newId();
    expect(await putDog(id, recording, { unmodifiedSince: 0 }, newContext())).toMatchObject({ id });
    const absent = deleteDog(newId(), { unmodifiedSince: 0 }, newContext());
    await expect(absent).rejects.toThrow(NotFound);
  });

  test('that requires no change since a time fails after a later bark', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    await createBark(id, {}, newContext(noon + 5_000));
    const precondition = { unmodifiedSince: noon / 1000 + 4 };
    await expect(putDog(id, counting, precondition, newContext())).rejects.toThrow(PreconditionFailed);
    await expect(deleteDog(id, precondition, newContext())).rejects.toThrow(PreconditionFailed);
    await putDog(id, counting, { unmodifiedSince: noon / 1000 + 5 }, newContext());
  });

  test('that requires an existing dog prevents putDog from creating a dog', async () => {
    const id = newId();
    await expect(putDog(id, recording, { match: 'any' }, newContext())).rejects.toThrow(PreconditionFailed);
    await expect(readDog(id, newContext())).rejects.toThrow(NotFound);
  });

  test('is met even if the response to the first attempt is lost and the SDK repeats the write', async () => {
    const id = newId();
    plan('UpdateItem', 'response lost');
    expect(await putDog(id, recording, { noneMatch: 'any' }, newContext())).toMatchObject({ id, version: 1 });
    const dog = await readDog(id, newContext());
    plan('UpdateItem', 'response lost');
    expect(await putDog(id, counting, { match: [dog] }, newContext())).toBeUndefined();
    expect(await readDog(id, newContext())).toMatchObject({ version: 2 });
    await expect(putDog(id, counting, { match: [dog] }, newContext())).rejects.toThrow(PreconditionFailed);
  });

  test('is met by only one of two concurrent writers', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    const match = [await readDog(id, newContext())];
    const results = await Promise.allSettled(
      ['a', 'b'].map((name) =>
        putDog(id, { ...recording, email: `${name}@example.com` }, { match }, newContext()),
      ),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('deleteDog', () => {
  test('deletes a dog once, and then throws NotFound', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    await deleteDog(id, {}, newContext());
    await expect(deleteDog(id, {}, newContext())).rejects.toThrow(NotFound);
    await expect(deleteDog('not an id', {}, newContext())).rejects.toThrow(NotFound);
  });

  test('succeeds even if the response to the first attempt is lost', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    plan('TransactWriteItems', 'response lost');
    await deleteDog(id, {}, newContext());
    await expect(deleteDog(id, {}, newContext())).rejects.toThrow(NotFound);
  });

  test('succeeds even if DynamoDB has forgotten the token of the first attempt', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    plan('TransactWriteItems', 'response and token lost');
    await deleteDog(id, {}, newContext());
  });

  test('succeeds even if the response is lost and the second attempt conflicts with a bark', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    plan('TransactWriteItems', 'response lost');
    plan('TransactWriteItems', 'conflict');
    await deleteDog(id, {}, newContext());
  });

  test('does not delete a new dog that is created between its two attempts', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    plan('TransactWriteItems', 'response lost');
    plan('TransactWriteItems', () => putDog(id, recording, {}, newContext()));
    await deleteDog(id, {}, newContext());
    expect(await readDog(id, newContext())).toMatchObject({ id, version: 1 });
  });

  test('ends the incarnation, so that a dog that is created again has a new one', async () => {
    const id = newId();
    const first = await putDog(id, recording, {}, newContext());
    await deleteDog(id, {}, newContext());
    const second = await putDog(id, recording, {}, newContext());
    expect(second?.incarnation).not.toBe(first?.incarnation);
  });
});

describe('purgeDog', () => {
  async function barkedTwice(id: string): Promise<string> {
    const dog = await putDog(id, recording, {}, newContext());
    await createBark(id, {}, newContext());
    await createBark(id, {}, newContext());
    return dog?.incarnation ?? '';
  }

  test('deletes the barks of one incarnation and keeps those of the next', async () => {
    const id = newId();
    const former = await barkedTwice(id);
    await deleteDog(id, {}, newContext());
    const next = await barkedTwice(id);
    await purgeDog({ id, incarnation: former }, newContext());
    reset();
    await purgeDog({ id, incarnation: former }, newContext());
    expect(calls()).toEqual(['GetItem', 'Query']);
    await deleteDog(id, {}, newContext());
    await purgeDog({ id, incarnation: next }, newContext());
    // Both calls delete only barks, because deleteDog deletes the dog in a transaction.
    expect(calls().filter((name) => name === 'DeleteItem')).toHaveLength(2);
  });

  test('continues after it has been stopped', async () => {
    const id = newId();
    const incarnation = await barkedTwice(id);
    await deleteDog(id, {}, newContext());
    plan('DeleteItem', 'fails before', 1_000);
    await expect(purgeDog({ id, incarnation }, newContext())).rejects.toThrow();
    reset();
    await purgeDog({ id, incarnation }, newContext());
    expect(await itemsOf(id)).toBe(0);
  });

  async function itemsOf(id: string): Promise<number> {
    const query = new QueryCommand({
      TableName: process.env.BARKS_TABLE,
      KeyConditionExpression: 'dog = :dog',
      ExpressionAttributeValues: { ':dog': id },
    });
    return (await database.send(query)).Count ?? 0;
  }
});

test('listDogs returns each dog on exactly one page', async () => {
  for (let n = 0; n < 7; n++) await putDog(newId(), recording, {}, newContext());
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const page = await listDogs({ limit: 3, after }, newContext());
    seen.push(...page.dogs.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBeGreaterThanOrEqual(7);
});
