import type { BarkRequest } from '../../../../lambdas/domain/barks/bark.ts';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import {
  MailNotSent,
  MailRefused,
  MailUnknown,
  NotFound,
  NotYet,
  Unavailable,
} from '../../../../lambdas/domain/platform/errors.ts';
import { newContext } from '../../../support/context.ts';
import { newDog } from '../../../support/dogs.ts';
import { plan, reset, sent, useFunctions } from '../../../support/faults.ts';
import { useLogs } from '../../../support/logs.ts';

useFunctions();
const logs = useLogs();

/** In seconds. */
const lease = 60;
const key = { user: 'jane', resource: 'barks', value: 'one' } as const;

/** Sends a request with a key. @param after the time of the request, in seconds */
function send(dog: string, { after, ...request }: BarkRequest & { after?: number } = {}) {
  return createBark(dog, { message: 'Hello', key, ...request }, newContext({ after }));
}

describe('A request with a key', () => {
  test.each([
    ['PutItem', 'response lost', 4, Unavailable],
    ['SendRawEmail', 'throttled', 1, MailNotSent],
    ['SendRawEmail', 'refused', 1, MailRefused],
  ] as const)('that had no effect releases its key: %s, %s', async (operation, fault, times, error) => {
    const dog = await newDog('sync', ['emailDog']);
    plan(operation, fault, times);
    await expect(send(dog)).rejects.toThrow(error);
    expect(sent()).toEqual([]);
    reset();
    expect(await send(dog, { message: 'Another' })).toMatchObject({ kind: 'sent' });
  });

  test('makes repeats throw MailUnknown after the lease if its key cannot be released', async () => {
    const dog = await newDog('sync', ['emailDog']);
    plan('SendRawEmail', 'refused');
    plan('DeleteItem', 'fails before', 1_000);
    await expect(send(dog)).rejects.toThrow(MailRefused);
    expect(logs.warn).toEqual([expect.stringContaining('The claim on a request was not released.')]);
    reset();
    await expect(send(dog, { after: lease - 1 })).rejects.toThrow(NotYet);
    await expect(send(dog, { after: lease })).rejects.toThrow(MailUnknown);
  });

  test.each([
    ['SendRawEmail', 'response lost'],
    ['TransactWriteItems', 'fails before'],
  ] as const)(
    'makes each repeat throw MailUnknown at once if its mail may have been sent: %s, %s',
    async (operation, fault) => {
      const dog = await newDog('sync', ['emailDog', 'record']);
      plan(operation, fault, 1_000);
      for (let i = 0; i < 2; i++) await expect(send(dog)).rejects.toThrow(MailUnknown);
    },
  );
});

test('A bark throws NotFound if its dog is deleted after the read', async () => {
  const dog = await newDog('sync', ['record']);
  plan('TransactWriteItems', () => deleteDog(dog, {}, newContext()));
  await expect(createBark(dog, {}, newContext())).rejects.toThrow(NotFound);
});
