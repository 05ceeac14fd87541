import { createHmac } from 'node:crypto';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import type { Dog, DogSettings } from '../../../../lambdas/domain/dogs/dog.ts';
import { putDog } from '../../../../lambdas/domain/dogs/put.ts';
import { readDog } from '../../../../lambdas/domain/dogs/read.ts';
import { NotFound } from '../../../../lambdas/domain/platform/errors.ts';
import {
  liftSuspension,
  readSubscription,
  resubscribe,
  suspendAddresses,
  unsubscribe,
} from '../../../../lambdas/domain/suspensions/suspend.ts';
import { fullList, suspensionsOf } from '../../../../lambdas/domain/suspensions/suspension.ts';
import { at, newContext } from '../../../support/context.ts';
import { fillSuspensions, linkTokenOf, newDog, recreateDog } from '../../../support/dogs.ts';
import { calls, plan, reset, useFunctions } from '../../../support/faults.ts';

useFunctions();

const both = ['dog@example.com', 'owner@example.com'];

async function mailingDog(): Promise<Dog> {
  const id = await newDog('sync', ['emailDog', 'emailOwner']);
  const dog = await readDog(id, newContext());
  reset();
  return dog;
}

function bounce({ id, incarnation }: Dog) {
  const feedback = { dog: id, incarnation, addresses: ['dog@example.com'], reason: 'bounced', at } as const;
  return suspendAddresses(feedback, newContext({ after: 60 }));
}

async function suspended({ id }: Dog) {
  return suspensionsOf(await readDog(id, newContext()));
}

test('suspendAddresses ignores feedback about a deleted dog with the same ID', async () => {
  const dog = await mailingDog();
  await recreateDog(dog.id);
  await bounce(dog);
  expect(await readDog(dog.id, newContext())).not.toHaveProperty('suspensions');
});

describe('unsubscribe', () => {
  test.each([[both], [['dog@example.com']], [['owner@example.com']]])(
    'suspends the recipients %j of the mail',
    async (recipients) => {
      const dog = await mailingDog();
      const token = linkTokenOf(dog, recipients);
      expect(await readSubscription(dog.id, token, newContext())).toEqual({
        addresses: recipients,
        reached: recipients,
        canResume: false,
      });
      const ended = { addresses: recipients, reached: [], canResume: true };
      expect(await unsubscribe(dog.id, token, newContext())).toEqual(ended);
      expect(await suspended(dog)).toEqual(
        recipients.map((address) => ({ address, reason: 'unsubscribed', since: at })),
      );
      expect(await unsubscribe(dog.id, token, newContext({ after: 5 }))).toEqual(ended);
      expect(await readSubscription(dog.id, token, newContext())).toEqual(ended);
    },
  );

  test.each<[string, Partial<DogSettings>, string[]]>([
    ['only the owner changes', { owner: 'mailto:new@example.com' }, ['dog@example.com']],
    ['only the dog changes its address', { email: 'new@example.com' }, ['owner@example.com']],
    ['the dog loses its address', { email: undefined, barkEffects: ['emailOwner'] }, ['owner@example.com']],
    [
      'letter case changes',
      { email: 'Dog@Example.com', owner: 'mailto:OWNER@example.com' },
      ['Dog@Example.com', 'OWNER@example.com'],
    ],
    [
      'the addresses are exchanged',
      { email: 'owner@example.com', owner: 'mailto:dog@example.com' },
      ['owner@example.com', 'dog@example.com'],
    ],
    [
      'the dog and its owner share an address',
      { email: 'dog@example.com', owner: 'mailto:DOG@example.com' },
      ['dog@example.com'],
    ],
  ])('suspends the addresses that the dog still has if %s', async (_, settings, left) => {
    const dog = await mailingDog();
    const token = linkTokenOf(dog, both);
    await putDog(dog.id, { ...dog.settings, ...settings }, {}, newContext());
    expect(await readSubscription(dog.id, token, newContext())).toMatchObject({ addresses: left });
    const ended = { addresses: left, reached: [], canResume: true };
    expect(await unsubscribe(dog.id, token, newContext())).toEqual(ended);
    expect((await suspended(dog)).map(({ address }) => address)).toEqual(left);
    expect(await resubscribe(dog.id, token, newContext())).toMatchObject({ reached: left });
  });

  test.each([
    ['both', '["mail-subscription","dog@example.com","owner@example.com"]', both],
    ['the dog', '["mail-subscription","dog@example.com"]', ['dog@example.com']],
    [
      'the owner, whose address has capitals,',
      '["mail-subscription","Jane@Example.com"]',
      ['Jane@Example.com'],
    ],
  ])('suspends the recipients of mail to %s that version 1.1.0 sent', async (_, signed, recipients) => {
    const dog = await mailingDog();
    if (recipients[0] === 'Jane@Example.com')
      await putDog(dog.id, { ...dog.settings, owner: 'mailto:Jane@Example.com' }, {}, newContext());
    const mac = createHmac('sha256', dog.mailKey ?? '').update(signed);
    const token = mac.digest('base64url').slice(0, 24);
    expect(await unsubscribe(dog.id, token, newContext())).toMatchObject({ addresses: recipients });
    expect((await suspended(dog)).map(({ address }) => address)).toEqual(recipients);
  });

  test.each<[string, (dog: Dog) => Promise<[id: string, token: string]>]>([
    ['the token belongs to another dog', async ({ id }) => [id, linkTokenOf(await mailingDog(), both)]],
    ['the ID is not one of a dog', async (dog) => ['a b', linkTokenOf(dog, both)]],
    [
      'the dog has neither address any more',
      async (dog) => {
        const settings = { email: 'new@example.com', owner: 'mailto:other@example.com' };
        await putDog(dog.id, { ...dog.settings, ...settings }, {}, newContext());
        return [dog.id, linkTokenOf(dog, both)];
      },
    ],
    [
      'the dog has another address now',
      async (dog) => {
        await putDog(dog.id, { ...dog.settings, email: 'new@example.com' }, {}, newContext());
        return [dog.id, linkTokenOf(dog, ['dog@example.com'])];
      },
    ],
    [
      'the dog was deleted and created again',
      async (dog) => {
        await recreateDog(dog.id);
        return [dog.id, linkTokenOf(dog, both)];
      },
    ],
  ])('throws the same NotFound and changes nothing if %s', async (_, prepare) => {
    const dog = await mailingDog();
    const [id, token] = await prepare(dog);
    const message = 'The link is no longer valid.';
    reset();
    await expect(unsubscribe(id, token, newContext())).rejects.toThrow(new NotFound('mail subscription', id));
    await expect(readSubscription(id, token, newContext())).rejects.toThrow(message);
    expect(calls()).not.toContain('UpdateItem');
  });
});

test('resubscribe lifts neither a bounce nor the suspension of an address to which the mail did not go', async () => {
  const dog = await mailingDog();
  await bounce(dog);
  await unsubscribe(dog.id, linkTokenOf(dog, both), newContext());
  const before = await suspended(dog);
  const left = await resubscribe(dog.id, linkTokenOf(dog, ['dog@example.com']), newContext());
  expect(left).toEqual({ addresses: ['dog@example.com'], reached: [], canResume: false });
  expect(await suspended(dog)).toEqual(before);
  expect(before.map(({ reason }) => reason)).toEqual(['bounced', 'unsubscribed']);
});

test('resubscribe starts again after another change, so that it does not undo that change', async () => {
  const dog = await mailingDog();
  const token = linkTokenOf(dog, ['owner@example.com']);
  await unsubscribe(dog.id, token, newContext());
  plan('UpdateItem', () => bounce(dog));
  await resubscribe(dog.id, token, newContext());
  expect((await suspended(dog)).map(({ reason }) => reason)).toEqual(['bounced']);
});

test('A dog that has had too many suspended addresses can unsubscribe one that got mail before, and shows that it is', async () => {
  const dog = await mailingDog();
  const token = linkTokenOf(dog, ['owner@example.com']);
  await fillSuspensions(dog.id, fullList - 1);
  await bounce(dog);
  const ended = { addresses: ['owner@example.com'], reached: [], canResume: false };
  expect(await unsubscribe(dog.id, token, newContext())).toEqual(ended);
  expect(await readSubscription(dog.id, token, newContext())).toEqual(ended);
  await expect(createBark(dog.id, {}, newContext())).rejects.toMatchObject({ name: 'AddressSuspended' });
});

test('liftSuspension returns true only if the address was suspended', async () => {
  const dog = await mailingDog();
  expect(await liftSuspension('absent', 'dog@example.com', newContext())).toBe(false);
  await bounce(dog);
  for (const expected of [true, false])
    expect(await liftSuspension(dog.id, 'DOG@example.com', newContext())).toBe(expected);
  expect(await suspended(dog)).toEqual([]);
});
