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

describe('Putting a dog', () => {
  test('makes it, and says so', async () => {
    const id = newId();
    expect(await putDog(id, recording, {}, newContext())).toMatchObject({ id, version: 1, barkCount: 0 });
    expect(calls()).toEqual(['UpdateItem']);
  });

  test('a second time replaces what a client sets and keeps count and incarnation', async () => {
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

  test('whose answer is lost says so all the same, when it is repeated', async () => {
    const id = newId();
    plan('UpdateItem', 'response lost');
    expect(await putDog(id, recording, {}, newContext())).toMatchObject({ id });
  });

  test('never moves Last-Modified back, whose clock ever is behind', async () => {
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

  test('does not move a Last-Modified that a clock one second ahead has written', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext(noon + 1_000));
    await putDog(id, counting, {}, newContext(noon));
    expect((await readDog(id, newContext())).lastModified).toBe(noon / 1000 + 1);
  });
});

describe('Putting the settings that a dog has already', () => {
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

  test('changes nothing, neither version nor Last-Modified', async () => {
    const { id, before, again } = await putTwice(() => ({}));
    expect(await again).toBeUndefined();
    expect(await readDog(id, newContext())).toEqual(before);
  });

  test('changes nothing even if a function with a clock ahead has written the dog', async () => {
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

describe('A precondition', () => {
  const demands = {
    'the state it is in': (state: { incarnation: string; version: number }) => ({ match: [state] }),
    'one of several states': (state: { incarnation: string; version: number }) => ({
      match: [{ ...state, version: 99 }, state],
    }),
    'that it exists': () => ({ match: 'any' as const }),
    'that it has not changed since its last change': () => ({ unmodifiedSince: noon / 1000 }),
    'another state not to be': (state: { incarnation: string; version: number }) => ({
      noneMatch: [{ ...state, version: 99 }],
    }),
  };

  test.each(Object.entries(demands))('that demands %s lets PUT and DELETE pass', async (_, demand) => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    await putDog(id, counting, demand(await readDog(id, newContext())), newContext());
    await deleteDog(id, demand(await readDog(id, newContext())), newContext());
    await expect(readDog(id, newContext())).rejects.toThrow(NotFound);
  });

  const failing = {
    'that it has not changed since a time before its last change': () => ({
      unmodifiedSince: noon / 1000 - 1,
    }),
    'an older state': (state: { incarnation: string; version: number }) => ({
      match: [{ ...state, version: 0 }],
    }),
    'a former incarnation': (state: { incarnation: string; version: number }) => ({
      match: [{ ...state, incarnation: 'other' }],
    }),
    'no state at all': () => ({ match: [] }),
    'that it does not exist': () => ({ noneMatch: 'any' as const }),
    'its state not to be': (state: { incarnation: string; version: number }) => ({ noneMatch: [state] }),
  };

  test.each(Object.entries(failing))(
    'that demands %s stops PUT and DELETE, and changes nothing',
    async (_, demand) => {
      const id = newId();
      await putDog(id, recording, {}, newContext());
      const before = await readDog(id, newContext());
      await expect(
        putDog(id, { ...recording, barkEffects: ['count'] }, demand(before), newContext()),
      ).rejects.toThrow(PreconditionFailed);
      await expect(deleteDog(id, demand(before), newContext())).rejects.toThrow(PreconditionFailed);
      expect(await readDog(id, newContext())).toEqual(before);
    },
  );

  test('that demands no change since a time does not keep PUT from creating a dog', async () => {
    const id = newId();
    expect(await putDog(id, recording, { unmodifiedSince: 0 }, newContext())).toMatchObject({ id });
    const absent = deleteDog(newId(), { unmodifiedSince: 0 }, newContext());
    await expect(absent).rejects.toThrow(NotFound);
  });

  test('that demands no change since a time counts barks as changes', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    await createBark(id, {}, newContext(noon + 5_000));
    const precondition = { unmodifiedSince: noon / 1000 + 4 };
    await expect(putDog(id, counting, precondition, newContext())).rejects.toThrow(PreconditionFailed);
    await expect(deleteDog(id, precondition, newContext())).rejects.toThrow(PreconditionFailed);
    await putDog(id, counting, { unmodifiedSince: noon / 1000 + 5 }, newContext());
  });

  test('that demands a dog which is not there stops PUT, and makes none', async () => {
    const id = newId();
    await expect(putDog(id, recording, { match: 'any' }, newContext())).rejects.toThrow(PreconditionFailed);
    await expect(readDog(id, newContext())).rejects.toThrow(NotFound);
  });

  test('is met by the PUT that met it, although its answer was lost and it is repeated', async () => {
    const id = newId();
    plan('UpdateItem', 'response lost');
    expect(await putDog(id, recording, { noneMatch: 'any' }, newContext())).toMatchObject({ id, version: 1 });
    const dog = await readDog(id, newContext());
    plan('UpdateItem', 'response lost');
    expect(await putDog(id, counting, { match: [dog] }, newContext())).toBeUndefined();
    expect(await readDog(id, newContext())).toMatchObject({ version: 2 });
    await expect(putDog(id, counting, { match: [dog] }, newContext())).rejects.toThrow(PreconditionFailed);
  });

  test('lets one of two simultaneous writers win', async () => {
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

describe('A deleted dog', () => {
  test('is gone, and a second deletion finds none', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    await deleteDog(id, {}, newContext());
    await expect(deleteDog(id, {}, newContext())).rejects.toThrow(NotFound);
    await expect(deleteDog('not an id', {}, newContext())).rejects.toThrow(NotFound);
  });

  test('was there, although the answer to its deletion was lost and that is repeated', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    plan('TransactWriteItems', 'response lost');
    await deleteDog(id, {}, newContext());
    await expect(deleteDog(id, {}, newContext())).rejects.toThrow(NotFound);
  });

  test('was there, although the database has forgotten its deletion when that is repeated', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    plan('TransactWriteItems', 'response and token lost');
    await deleteDog(id, {}, newContext());
  });

  test('was there, although the repeat of its deletion conflicts at first with a bark', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    plan('TransactWriteItems', 'response lost');
    plan('TransactWriteItems', 'conflict');
    await deleteDog(id, {}, newContext());
  });

  test('may be made again, before the repeat of its deletion comes, which leaves the new one alone', async () => {
    const id = newId();
    await putDog(id, recording, {}, newContext());
    plan('TransactWriteItems', 'response lost');
    plan('TransactWriteItems', () => putDog(id, recording, {}, newContext()));
    await deleteDog(id, {}, newContext());
    expect(await readDog(id, newContext())).toMatchObject({ id, version: 1 });
  });

  test('that is made again is another, whose state no old tag names', async () => {
    const id = newId();
    const first = await putDog(id, recording, {}, newContext());
    await deleteDog(id, {}, newContext());
    const second = await putDog(id, recording, {}, newContext());
    expect(second?.incarnation).not.toBe(first?.incarnation);
  });
});

describe('The purge', () => {
  async function barkedTwice(id: string): Promise<string> {
    const dog = await putDog(id, recording, {}, newContext());
    await createBark(id, {}, newContext());
    await createBark(id, {}, newContext());
    return dog?.incarnation ?? '';
  }

  test('removes the barks of one incarnation and leaves those of the next', async () => {
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
    // One of them is the dog's own.
    expect(calls().filter((name) => name === 'DeleteItem')).toHaveLength(2);
  });

  test('goes on where it was stopped', async () => {
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

test('The pages of the list hold each dog once', async () => {
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
