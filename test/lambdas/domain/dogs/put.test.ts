import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import type { DogState, Precondition } from '../../../../lambdas/domain/dogs/precondition.ts';
import { putDog } from '../../../../lambdas/domain/dogs/put.ts';
import { readDog } from '../../../../lambdas/domain/dogs/read.ts';
import { NotFound, PreconditionFailed } from '../../../../lambdas/domain/platform/errors.ts';
import { at, newContext } from '../../../support/context.ts';
import { newDog, newDogId, settingsOf } from '../../../support/dogs.ts';
import { plan, useFunctions } from '../../../support/faults.ts';

useFunctions();

test.each<[string, (dog: DogState) => Precondition]>([
  ['no change since a time before the last change', () => ({ unmodifiedSince: at - 1 })],
  ['an older state', (dog) => ({ match: [{ ...dog, version: 0 }] })],
  ['a former incarnation', (dog) => ({ match: [{ ...dog, incarnation: 'other' }] })],
  ['one of several other states', (dog) => ({ match: [98, 99].map((version) => ({ ...dog, version })) })],
  ['one of no states', () => ({ match: [] })],
  ['that no dog exists', () => ({ noneMatch: 'any' })],
  ['that the current state is another one', (dog) => ({ noneMatch: [dog] })],
  ['none of several states', (dog) => ({ noneMatch: [{ ...dog, version: 99 }, dog] })],
])('putDog and deleteDog fail and change nothing if they require %s', async (_, preconditionOf) => {
  const id = await newDog('sync', ['record']);
  const before = await readDog(id, newContext());
  const precondition = preconditionOf(before);
  const put = putDog(id, settingsOf('count'), precondition, newContext());
  await expect(put).rejects.toThrow(PreconditionFailed);
  await expect(deleteDog(id, precondition, newContext())).rejects.toThrow(PreconditionFailed);
  expect(await readDog(id, newContext())).toEqual(before);
});

// The faults in test/faults occur at every call. These examples explain how a write recognizes its earlier attempt.
test('putDog meets If-None-Match: * even if the response is lost and the SDK repeats the write', async () => {
  const id = newDogId();
  plan('UpdateItem', 'response lost');
  const dog = await putDog(id, settingsOf('record'), { noneMatch: 'any' }, newContext());
  expect(dog).toMatchObject({ id, version: 1 });
});

test('deleteDog succeeds if the response is lost and DynamoDB has forgotten the token', async () => {
  const id = await newDog('sync', ['record']);
  plan('TransactWriteItems', 'response and token lost');
  await deleteDog(id, {}, newContext());
  await expect(deleteDog(id, {}, newContext())).rejects.toThrow(NotFound);
});
