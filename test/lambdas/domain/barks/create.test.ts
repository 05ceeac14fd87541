import type { BarkOutcome, BarkRequest, IdempotencyKey } from '../../../../lambdas/domain/barks/bark.ts';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import {
  MailNotSent,
  MailRefused,
  MailUnknown,
  NotYet,
  Unavailable,
} from '../../../../lambdas/domain/platform/errors.ts';
import { barkNumbers, noBark, recordedBark } from '../../../support/barks.ts';
import { newContext } from '../../../support/context.ts';
import { newDog, replaceSettings, settingsOf } from '../../../support/dogs.ts';
import { calls, plan, reset, sent, useFunctions } from '../../../support/faults.ts';
import { useLogs } from '../../../support/logs.ts';

useFunctions();
const logs = useLogs();

/** In seconds. */
const lease = 60;

const key: IdempotencyKey = { user: 'dog-lover', resource: 'barks', value: 'one' };

/** Sends a client's request. All calls send the same request, unless the caller changes a field. */
function send(
  dog: string,
  { after, ...request }: Partial<BarkRequest> & { after?: number } = {},
): Promise<BarkOutcome> {
  return createBark(dog, { message: 'Hello', key, ...request }, newContext({ after }));
}

/** Creates a dog whose barks are recorded and send mail. */
async function mailingDog(): Promise<string> {
  const dog = await newDog('sync', ['emailDog', 'record']);
  reset();
  return dog;
}

// The faults in test/faults occur at every call. These examples explain the protocol of a key.
describe('A request whose first outcome is stored', () => {
  test('returns it to a repeat even if the dog has changed in the meantime', async () => {
    const dog = await mailingDog();
    const outcome = await send(dog);
    for (const barkHandling of ['sync', 'async'] as const) {
      await replaceSettings(dog, { ...settingsOf('count'), barkHandling });
      expect(await send(dog)).toEqual(outcome);
    }
    expect(await barkNumbers(dog)).toEqual(recordedBark);
  });
});

describe('A request whose mail may have been sent', () => {
  test('throws MailUnknown and stores nothing if a repeat has found its lease over', async () => {
    const dog = await mailingDog();
    plan('TransactWriteItems', async () => {
      await expect(send(dog, { after: lease - 1 })).rejects.toThrow(NotYet);
      await expect(send(dog, { after: lease })).rejects.toThrow(MailUnknown);
    });
    await expect(send(dog)).rejects.toThrow(MailUnknown);
    await expect(send(dog)).rejects.toThrow(MailUnknown);
    expect(await barkNumbers(dog)).toEqual(noBark);
    expect(sent()).toHaveLength(1);
  });
});

test('A request whose last write gets no response throws MailUnknown, and so does each repeat', async () => {
  const dog = await mailingDog();
  const end = new AbortController();
  plan('SendRawEmail', async () => void setTimeout(() => end.abort(), 50));
  plan('TransactWriteItems', 'hangs');
  const first = createBark(dog, { message: 'Hello', key }, { ...newContext(), signal: end.signal });
  await expect(first).rejects.toThrow(MailUnknown);
  await expect(send(dog)).rejects.toThrow(MailUnknown);
});

describe('A request that had no effect', () => {
  test.each([
    ['fails before', 1_000],
    ['response lost', 4],
  ] as const)(
    'sends no mail if the service cannot store its claim, and can be repeated: %s',
    async (fault, times) => {
      const dog = await mailingDog();
      plan('PutItem', fault, times);
      await expect(send(dog)).rejects.toThrow(Unavailable);
      expect(calls()).not.toContain('SendRawEmail');
      reset();
      expect((await send(dog)).kind).toBe('recorded');
    },
  );

  test('can be repeated with other content, because its key is unused', async () => {
    const dog = await mailingDog();
    plan('SendRawEmail', 'throttled');
    await expect(send(dog)).rejects.toThrow(MailNotSent);
    expect((await send(dog, { message: 'Another' })).kind).toBe('recorded');
  });

  test.each(['fails before', 'hangs'] as const)(
    'makes repeats throw MailUnknown after the lease if the deletion of its claim fails: %s',
    async (fault) => {
      const dog = await mailingDog();
      plan('SendRawEmail', 'refused');
      plan('DeleteItem', fault, 1_000);
      await expect(send(dog)).rejects.toThrow(MailRefused);
      expect(logs.warn).toHaveLength(1);
      reset();
      await expect(send(dog, { after: lease - 1 })).rejects.toThrow(NotYet);
      await expect(send(dog, { after: lease })).rejects.toThrow(MailUnknown);
      expect(sent()).toEqual([]);
    },
  );
});
