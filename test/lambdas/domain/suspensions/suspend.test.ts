import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { readDogView } from '../../../../lambdas/domain/barks/queries.ts';
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
import {
  AddressSuspended,
  fullList,
  suspensionsOf,
} from '../../../../lambdas/domain/suspensions/suspension.ts';
import { dogDocument } from '../../../../lambdas/http/representations.ts';
import { at, newContext } from '../../../support/context.ts';
import { fillSuspensions, linkTokenOf, newDog, recreateDog } from '../../../support/dogs.ts';
import { calls, plan, reset, sent, useFunctions } from '../../../support/faults.ts';

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
  test('stores the suspension, which GET of the dog shows, and changes the version and Last-Modified', async () => {
    const dog = await mailingDog();
    await bounce(dog);
    expect(calls()).toEqual(['GetItem', 'UpdateItem']);
    expect(dogDocument(await readDogView(dog.id, newContext()))).toMatchObject({ suspended: [suspension] });
    expect(await readDog(dog.id, newContext())).toMatchObject({
      version: dog.version + 1,
      lastModified: at + 60,
      settingsVersion: dog.settingsVersion,
      settingsModified: dog.settingsModified,
    });
  });

  test('ignores feedback about a deleted dog with the same ID', async () => {
    const dog = await mailingDog();
    await recreateDog(dog.id);
    await bounce(dog);
    expect(await readDog(dog.id, newContext())).not.toHaveProperty('suspensions');
  });

  test('does not suspend a new address after late feedback about the former one', async () => {
    const dog = await mailingDog();
    plan('UpdateItem', () => putDog(dog.id, { ...dog.settings, email: 'new@example.com' }, {}, newContext()));
    await bounce(dog);
    expect(calls()).toEqual(['GetItem', 'UpdateItem', 'UpdateItem', 'GetItem']);
    expect(await suspended(dog)).toEqual([]);
  });
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
      reset();
      const ended = { addresses: recipients, reached: [], canResume: true };
      expect(await unsubscribe(dog.id, token, newContext())).toEqual(ended);
      expect(calls()).toEqual(['GetItem', 'UpdateItem']);
      expect(await suspended(dog)).toEqual(
        recipients.map((address) => ({ address, reason: 'unsubscribed', since: at })),
      );
      expect(await unsubscribe(dog.id, token, newContext({ after: 5 }))).toEqual(ended);
      expect(await readSubscription(dog.id, token, newContext())).toEqual(ended);
    },
  );

  test.each<[string, (dog: Dog) => Promise<[id: string, token: string]>]>([
    ['the token is wrong', async ({ id }) => [id, 'x'.repeat(24)]],
    ['the token has another length', async ({ id }) => [id, 'x']],
    ['the token belongs to another dog', async ({ id }) => [id, linkTokenOf(await mailingDog(), both)]],
    ['the dog does not exist', async (dog) => ['absent', linkTokenOf(dog, both)]],
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
  test('lifts the suspensions of the recipients that unsubscribed', async () => {
    const dog = await mailingDog();
    const token = linkTokenOf(dog, both);
    await unsubscribe(dog.id, token, newContext());
    reset();
    const resumed = { addresses: both, reached: both, canResume: false };
    expect(await resubscribe(dog.id, token, newContext({ after: 5 }))).toEqual(resumed);
    expect(calls()).toEqual(['GetItem', 'UpdateItem']);
    expect((await readDog(dog.id, newContext())).suspensions).toEqual(
      both.map((address) => ({ address, reason: 'unsubscribed', since: at, lifted: at + 5 })),
    );
    reset();
    expect(await resubscribe(dog.id, token, newContext({ after: 9 }))).toEqual(resumed);
    expect(calls()).toEqual(['GetItem']);
  });

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

  test('throws NotFound if the token is wrong', async () => {
    const { id } = await mailingDog();
    await expect(resubscribe(id, 'x'.repeat(24), newContext())).rejects.toThrow(NotFound);
  });
});

describe('A dog that has had too many suspended addresses', () => {
  const full = fullList - 1;

  test('sends no mail to a further address until the operator lifts the suspension', async () => {
    const dog = await mailingDog();
    await fillSuspensions(dog.id);
    await expect(createBark(dog.id, {}, newContext())).rejects.toThrow(AddressSuspended);
    expect(await suspended(dog)).toEqual(
      both.map((address) => ({ address, reason: 'list-full', since: full })),
    );
    reset();
    await bounce(dog);
    expect(calls()).toEqual(['GetItem']);
    expect(await liftSuspension(dog.id, 'dog@example.com', newContext())).toBe(true);
    await createBark(dog.id, {}, newContext());
    expect(sent()).toMatchObject([{ to: ['dog@example.com'] }]);
    await bounce(dog, 'dog@example.com', at + 1);
    await expect(createBark(dog.id, {}, newContext())).rejects.toThrow(AddressSuspended);
  });

  test('can unsubscribe an address that got mail before, and shows that it is', async () => {
    const dog = await mailingDog();
    const token = linkTokenOf(dog, ['owner@example.com']);
    await fillSuspensions(dog.id, full);
    await bounce(dog);
    const ended = { addresses: ['owner@example.com'], reached: [], canResume: false };
    expect(await unsubscribe(dog.id, token, newContext())).toEqual(ended);
    expect(await readSubscription(dog.id, token, newContext())).toEqual(ended);
    await expect(createBark(dog.id, {}, newContext())).rejects.toThrow(AddressSuspended);
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
