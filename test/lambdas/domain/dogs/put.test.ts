import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import type { Dog, DogSettings } from '../../../../lambdas/domain/dogs/dog.ts';
import type { DogState, Precondition } from '../../../../lambdas/domain/dogs/precondition.ts';
import { putDog } from '../../../../lambdas/domain/dogs/put.ts';
import { listDogs, readDog } from '../../../../lambdas/domain/dogs/read.ts';
import { NotFound, PreconditionFailed } from '../../../../lambdas/domain/platform/errors.ts';
import { at, newContext } from '../../../support/context.ts';
import { newDogId, settingsOf } from '../../../support/dogs.ts';
import { plan, useFunctions } from '../../../support/faults.ts';

useFunctions();

const recording = settingsOf('record');
const counting = settingsOf('count');

/** Replaces the settings of a dog, or creates it. @param after the time of the change, in seconds */
function put(id: string, settings: DogSettings, precondition: Precondition = {}, after = 0) {
  return putDog(id, settings, precondition, newContext({ after }));
}

function read(id: string): Promise<Dog> {
  return readDog(id, newContext());
}

function remove(id: string, precondition: Precondition = {}): Promise<void> {
  return deleteDog(id, precondition, newContext());
}

/** Creates a dog, and returns its ID. */
async function newDog(settings = recording, after = 0): Promise<string> {
  const id = newDogId();
  await put(id, settings, {}, after);
  return id;
}

function bark(id: string, after = 0) {
  return createBark(id, {}, newContext({ after }));
}

describe('putDog', () => {
  test.each([
    [1, 1],
    [2, 3],
  ])(
    'changes a Last-Modified that is %i s ahead of the clock to one that is %i s ahead',
    async (ahead, changed) => {
      const id = await newDog(recording, ahead);
      await put(id, counting);
      expect((await read(id)).lastModified).toBe(at + changed);
    },
  );
});

describe('putDog, with the current settings of the dog,', () => {
  const settings: DogSettings = {
    email: 'dog@example.com',
    owner: undefined,
    barkEffects: ['emailDog', 'record'],
    barkHandling: 'async',
  };

  async function putTwice(preconditionOf: (dog: DogState) => Precondition, ahead = 0) {
    const id = await newDog(settings, ahead);
    const before = await read(id);
    return { id, before, again: put(id, settings, preconditionOf(before), 60) };
  }

  test.each([
    ['the time has passed', 0],
    ['a function whose clock is ahead has written the dog', 3600],
  ])('does not change the version or Last-Modified if %s', async (_, ahead) => {
    const { id, before, again } = await putTwice(() => ({}), ahead);
    expect(await again).toBeUndefined();
    expect(await read(id)).toEqual(before);
  });

  test.each<[string, string, (dog: DogState) => Precondition]>([
    ['succeeds', 'If-Match with the state of the dog', (dog) => ({ match: [{ ...dog, version: 99 }, dog] })],
    ['succeeds', 'If-Unmodified-Since with the time of the dog', () => ({ unmodifiedSince: at })],
    ['fails', 'If-Match with another state', (dog) => ({ match: [{ ...dog, version: 99 }] })],
    ['fails', 'If-None-Match: *', () => ({ noneMatch: 'any' })],
    ['fails', 'If-Unmodified-Since with an earlier time', () => ({ unmodifiedSince: at - 1 })],
  ])('%s under %s', async (result, _, preconditionOf) => {
    const { id, before, again } = await putTwice(preconditionOf);
    if (result === 'succeeds') expect(await again).toBeUndefined();
    else await expect(again).rejects.toThrow(PreconditionFailed);
    expect(await read(id)).toEqual(before);
  });

  test('replaces the dog if only the order of its effects differs', async () => {
    const id = await newDog(settings);
    await put(id, { ...settings, barkEffects: ['record', 'emailDog'] });
    expect((await read(id)).version).toBe(2);
  });
});

describe('A precondition of putDog and deleteDog', () => {
  test.each<[string, (dog: DogState) => Precondition]>([
    ['the current state', (dog) => ({ match: [dog] })],
    ['one of several states', (dog) => ({ match: [{ ...dog, version: 99 }, dog] })],
    ['an existing dog', () => ({ match: 'any' })],
    ['no change since the last change', () => ({ unmodifiedSince: at })],
    [
      'none of several other states',
      (dog) => ({ noneMatch: [98, 99].map((version) => ({ ...dog, version })) }),
    ],
    ['a state that is not another one', (dog) => ({ noneMatch: [{ ...dog, version: 99 }] })],
  ])('that requires %s is met', async (_, preconditionOf) => {
    const id = await newDog();
    await put(id, counting, preconditionOf(await read(id)));
    await remove(id, preconditionOf(await read(id)));
    await expect(read(id)).rejects.toThrow(NotFound);
  });

  test.each<[string, (dog: DogState) => Precondition]>([
    ['no change since a time before the last change', () => ({ unmodifiedSince: at - 1 })],
    ['an older state', (dog) => ({ match: [{ ...dog, version: 0 }] })],
    ['a former incarnation', (dog) => ({ match: [{ ...dog, incarnation: 'other' }] })],
    ['one of several other states', (dog) => ({ match: [98, 99].map((version) => ({ ...dog, version })) })],
    ['one of no states', () => ({ match: [] })],
    ['that no dog exists', () => ({ noneMatch: 'any' })],
    ['that the current state is another one', (dog) => ({ noneMatch: [dog] })],
    ['none of several states', (dog) => ({ noneMatch: [{ ...dog, version: 99 }, dog] })],
  ])('that requires %s fails, and nothing changes', async (_, preconditionOf) => {
    const id = await newDog();
    const before = await read(id);
    await expect(put(id, counting, preconditionOf(before))).rejects.toThrow(PreconditionFailed);
    await expect(remove(id, preconditionOf(before))).rejects.toThrow(PreconditionFailed);
    expect(await read(id)).toEqual(before);
  });

  test('that requires no change since a time does not prevent putDog from creating a dog', async () => {
    const id = newDogId();
    expect(await put(id, recording, { unmodifiedSince: 0 })).toMatchObject({ id });
    await expect(remove(newDogId(), { unmodifiedSince: 0 })).rejects.toThrow(NotFound);
  });

  test('that requires no change since a time fails after a later bark', async () => {
    const id = await newDog();
    await bark(id, 5);
    const precondition = { unmodifiedSince: at + 4 };
    await expect(put(id, counting, precondition)).rejects.toThrow(PreconditionFailed);
    await expect(remove(id, precondition)).rejects.toThrow(PreconditionFailed);
    await put(id, counting, { unmodifiedSince: at + 5 });
  });

  test('that requires an existing dog prevents putDog from creating a dog', async () => {
    const id = newDogId();
    await expect(put(id, recording, { match: 'any' })).rejects.toThrow(PreconditionFailed);
    await expect(read(id)).rejects.toThrow(NotFound);
  });

  // The faults in test/faults occur at every call. This example explains the protocol of a PUT.
  test('is met even if the response to the first attempt is lost and the SDK repeats the write', async () => {
    const id = newDogId();
    plan('UpdateItem', 'response lost');
    expect(await put(id, recording, { noneMatch: 'any' })).toMatchObject({ id, version: 1 });
    const match = [await read(id)];
    plan('UpdateItem', 'response lost');
    expect(await put(id, counting, { match })).toBeUndefined();
    expect(await read(id)).toMatchObject({ version: 2 });
    await expect(put(id, counting, { match })).rejects.toThrow(PreconditionFailed);
  });
});

describe('deleteDog', () => {
  // The faults in test/faults occur at every call. These examples explain the protocol of a DELETE.
  test('succeeds if the response is lost and DynamoDB has forgotten the token', async () => {
    const id = await newDog();
    plan('TransactWriteItems', 'response and token lost');
    await remove(id);
    await expect(remove(id)).rejects.toThrow(NotFound);
  });

  test('does not delete a new dog that is created between its two attempts', async () => {
    const id = await newDog();
    plan('TransactWriteItems', 'response lost');
    plan('TransactWriteItems', () => put(id, recording));
    await remove(id);
    expect(await read(id)).toMatchObject({ id, version: 1 });
  });
});

test('listDogs returns each dog on exactly one page', async () => {
  const ids = new Set<string>();
  for (let n = 0; n < 7; n++) ids.add(await newDog());
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const page = await listDogs({ limit: 3, after }, newContext());
    expect(page.dogs.length).toBeLessThanOrEqual(3);
    seen.push(...page.dogs.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining([...ids]));
});
