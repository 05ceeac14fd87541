import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import type { Dog, DogSettings } from '../../../../lambdas/domain/dogs/dog.ts';
import type { DogState, Precondition } from '../../../../lambdas/domain/dogs/precondition.ts';
import { putDog } from '../../../../lambdas/domain/dogs/put.ts';
import { readDog } from '../../../../lambdas/domain/dogs/read.ts';
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

describe('A precondition of putDog and deleteDog', () => {
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
});
