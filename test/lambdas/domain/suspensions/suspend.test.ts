import type { Dog } from '../../../../lambdas/domain/dogs/dog.ts';
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
import { suspensionsOf } from '../../../../lambdas/domain/suspensions/suspension.ts';
import { at, newContext } from '../../../support/context.ts';
import { linkTokenOf, newDog, recreateDog } from '../../../support/dogs.ts';
import { calls, plan, reset, useFunctions } from '../../../support/faults.ts';

useFunctions();

const both = ['dog@example.com', 'owner@example.com'];

async function mailingDog(): Promise<Dog> {
  const id = await newDog('sync', ['emailDog', 'emailOwner']);
  const dog = await readDog(id, newContext());
  reset();
  return dog;
}

function bounce({ id, incarnation }: Dog, address = 'dog@example.com', time = at) {
  const feedback = { dog: id, incarnation, addresses: [address], reason: 'bounced', at: time } as const;
  return suspendAddresses(feedback, newContext({ after: 60 }));
}

async function suspended({ id }: Dog) {
  return suspensionsOf(await readDog(id, newContext()));
}

const suspension = { address: 'dog@example.com', reason: 'bounced', since: at };

describe('suspendAddresses', () => {
  test('ignores feedback about a deleted dog with the same ID', async () => {
    const dog = await mailingDog();
    await recreateDog(dog.id);
    await bounce(dog);
    expect(await readDog(dog.id, newContext())).not.toHaveProperty('suspensions');
  });
});

describe('unsubscribe', () => {
  test.each<[string, (dog: Dog) => Promise<[id: string, token: string]>]>([
    ['the token belongs to another dog', async ({ id }) => [id, linkTokenOf(await mailingDog(), both)]],
    ['the ID is not one of a dog', async (dog) => ['a b', linkTokenOf(dog, both)]],
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

describe('resubscribe', () => {
  test('lifts neither a bounce nor the suspension of an address to which the mail did not go', async () => {
    const dog = await mailingDog();
    await bounce(dog);
    await unsubscribe(dog.id, linkTokenOf(dog, both), newContext());
    const before = await suspended(dog);
    const left = await resubscribe(dog.id, linkTokenOf(dog, ['dog@example.com']), newContext());
    expect(left).toEqual({ addresses: ['dog@example.com'], reached: [], canResume: false });
    expect(await suspended(dog)).toEqual(before);
    expect(before.map(({ reason }) => reason)).toEqual(['bounced', 'unsubscribed']);
  });

  test('starts again after another change, so that it does not undo that change', async () => {
    const dog = await mailingDog();
    const token = linkTokenOf(dog, ['owner@example.com']);
    await unsubscribe(dog.id, token, newContext());
    plan('UpdateItem', () => bounce(dog));
    await resubscribe(dog.id, token, newContext());
    expect((await suspended(dog)).map(({ reason }) => reason)).toEqual(['bounced']);
  });
});

describe('liftSuspension', () => {
  test('lets the dog send mail again, and has no effect on late feedback', async () => {
    const dog = await mailingDog();
    await bounce(dog);
    expect(await liftSuspension(dog.id, 'DOG@example.com', newContext({ after: 60 }))).toBe(true);
    expect(await suspended(dog)).toEqual([]);
    await bounce(dog);
    expect(await suspended(dog)).toEqual([]);
    await bounce(dog, 'dog@example.com', at + 61);
    expect(await suspended(dog)).toEqual([{ ...suspension, since: at + 61 }]);
  });

  test('returns false if the address is not suspended or the dog does not exist', async () => {
    const dog = await mailingDog();
    expect(await liftSuspension(dog.id, 'dog@example.com', newContext())).toBe(false);
    expect(await liftSuspension('absent', 'dog@example.com', newContext())).toBe(false);
    expect(calls()).toEqual(['GetItem', 'GetItem']);
  });
});
