import { handler as putRoute } from '../../../../lambdas/api/dogs/put.ts';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import type { DogSettings, Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import type { DogState, Precondition } from '../../../../lambdas/domain/dogs/precondition.ts';
import { StateMismatch } from '../../../../lambdas/domain/dogs/precondition.ts';
import { putDog } from '../../../../lambdas/domain/dogs/put.ts';
import { readDog } from '../../../../lambdas/domain/dogs/read.ts';
import { NotFound } from '../../../../lambdas/domain/platform/errors.ts';
import { at, newContext } from '../../../support/context.ts';
import { newDog, newDogId, settingsOf } from '../../../support/dogs.ts';
import { calls, plan, reset, sent, useFunctions } from '../../../support/faults.ts';
import { invoke } from '../../../support/invoke.ts';

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
  await expect(put).rejects.toThrow(StateMismatch);
  await expect(deleteDog(id, precondition, newContext())).rejects.toThrow(StateMismatch);
  expect(await readDog(id, newContext())).toEqual(before);
});

// The faults in test/faults occur at every call. These examples explain how a write recognizes its earlier attempt.
test('putDog meets If-None-Match: * even if the response is lost and the SDK repeats the write', async () => {
  const id = newDogId();
  plan('UpdateItem', 'response lost');
  const dog = await putDog(id, settingsOf('record'), { noneMatch: 'any' }, newContext());
  expect(dog).toMatchObject({ id, version: 1 });
});

describe('PUT of a dog with an address that only version 1.1.0 accepted', () => {
  const old = {
    email: 'a..b@example.com',
    owner: `mailto:${'a'.repeat(65)}@example.com`,
    barkEffects: ['emailDog', 'emailOwner'],
    barkHandling: 'sync',
  } as const satisfies Partial<DogSettings> | object;
  const settings = (changes: Partial<DogSettings> = {}): DogSettings => ({
    ...old,
    barkEffects: [...old.barkEffects],
    ...changes,
  });

  async function oldDog(changes?: Partial<DogSettings>): Promise<string> {
    const id = newDogId();
    await putDog(id, settings(changes), {}, newContext());
    reset();
    return id;
  }

  async function put(id: string, document: object) {
    const request = { pathParameters: { dog_id: id }, body: JSON.stringify(document) };
    const { statusCode, body } = await invoke(putRoute, 'PutDog', request);
    return { status: statusCode, fields: (body ? JSON.parse(body).errors : []).map(pointerOf) };
  }
  const pointerOf = ({ pointer }: { pointer: string }) => pointer;
  const settingsOfDog = async (id: string) => (await readDog(id, newContext())).settings;

  test.each<[string, Partial<DogSettings>]>([
    ['the same settings', {}],
    ['another handling', { barkHandling: 'async' }],
    ['another effect', { barkEffects: ['emailDog', 'emailOwner', 'record'] }],
    ['another owner', { owner: 'mailto:owner@example.com' }],
  ])('keeps the address if the PUT has %s', async (_, changes) => {
    const id = await oldDog();
    expect(await put(id, settings(changes))).toEqual({ status: 204, fields: [] });
    expect(await settingsOfDog(id)).toEqual(settings(changes));
  });

  test.each<[string, Partial<DogSettings>, Partial<DogSettings>, string[]]>([
    ['another invalid email', {}, { email: 'c..d@example.com' }, ['/email']],
    ['the email in another case', {}, { email: 'A..b@example.com' }, ['/email']],
    ['another invalid owner', {}, { owner: 'mailto:.c@example.com' }, ['/owner']],
    ['mail to an owner who got none before', { barkEffects: ['emailDog'] }, {}, ['/owner']],
  ])('refuses %s and changes nothing', async (_, stored, changes, fields) => {
    const id = await oldDog(stored);
    const refused = await put(id, settings(changes));
    expect(refused).toMatchObject({ status: 422, fields: expect.arrayContaining(fields) });
    expect(await settingsOfDog(id)).toEqual(settings(stored));
    expect(calls()).toEqual(['GetItem', 'GetItem']);
  });

  test('refuses a new dog with such addresses', async () => {
    expect(await put(newDogId(), settings())).toEqual({ status: 422, fields: ['/email', '/owner'] });
  });

  test('refuses the address if another PUT replaces it, or the dog is deleted, before the write', async () => {
    for (const act of [
      (id: string) => putDog(id, settings({ email: 'new@example.com' }), {}, newContext()),
      (id: string) => deleteDog(id, {}, newContext()),
    ]) {
      const id = await oldDog();
      plan('UpdateItem', () => act(id));
      expect(await put(id, settings({ barkHandling: 'async' }))).toMatchObject({ status: 422 });
    }
  });

  test('keeps the address, and overwrites another change of the settings that comes before the write', async () => {
    const id = await oldDog();
    plan('UpdateItem', () => putDog(id, settings({ barkEffects: ['emailDog'] }), {}, newContext()));
    const changes: Partial<DogSettings> = { barkEffects: ['emailDog'], barkHandling: 'async' };
    expect(await put(id, settings(changes))).toEqual({ status: 204, fields: [] });
    expect(await settingsOfDog(id)).toEqual(settings(changes));
  });

  test('gets 412 instead if the dog does not meet the precondition', async () => {
    const id = await oldDog();
    const error = new Error('invalid');
    const refused = putDog(id, settings({ barkHandling: 'async' }), { match: [] }, newContext(), error);
    await expect(refused).rejects.toThrow(StateMismatch);
  });
});

test('A dog with an address that only version 1.1.0 accepted mails it as before', async () => {
  const id = newDogId();
  const owner = `mailto:${'a'.repeat(65)}@example.com`;
  const settings = { email: 'a..b@example.com', owner, barkEffects: ['emailDog', 'emailOwner'] as Effect[] };
  await putDog(id, { ...settings, barkHandling: 'sync' }, {}, newContext());
  await createBark(id, {}, newContext());
  expect(sent()).toMatchObject([{ to: ['a..b@example.com', owner.slice('mailto:'.length)] }]);
});

test('deleteDog succeeds if the response is lost and DynamoDB has forgotten the token', async () => {
  const id = await newDog('sync', ['record']);
  plan('TransactWriteItems', 'response and token lost');
  await deleteDog(id, {}, newContext());
  await expect(deleteDog(id, {}, newContext())).rejects.toThrow(NotFound);
});
