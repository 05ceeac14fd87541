import type { BarkOutcome, BarkRequest, IdempotencyKey } from '../../../../lambdas/domain/barks/bark.ts';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { newContext } from '../../../support/context.ts';
import { newDog } from '../../../support/dogs.ts';
import { calls, type Fault, plan, reset, sent, useFunctions } from '../../../support/faults.ts';
import { setLimits } from '../../../support/limits.ts';
import { useLogs } from '../../../support/logs.ts';

useFunctions();
const logs = useLogs();

const leaseSeconds = 60;

const key: IdempotencyKey = { user: 'dog-lover', resource: 'barks', value: 'one' };

function send(
  dog: string,
  { after, ...request }: Partial<BarkRequest> & { after?: number } = {},
): Promise<BarkOutcome> {
  return createBark(dog, { message: 'Hello', key, ...request }, newContext({ after }));
}

async function mailingDog(): Promise<string> {
  const dog = await newDog('sync', ['emailDog', 'record']);
  reset();
  return dog;
}

// The faults in test/faults occur at every call. These examples explain the protocol of a key.
test.each<[string, string, Fault]>([
  ['its mail', 'SendRawEmail', 'response lost'],
  ['its last write', 'TransactWriteItems', 'fails before'],
])(
  'A request that does not know what became of %s throws MailUnknown, and so does each repeat',
  async (_, ...fault) => {
    const dog = await mailingDog();
    plan(...fault, 1_000);
    await expect(send(dog)).rejects.toMatchObject({ name: 'MailUnknown' });
    reset();
    await expect(send(dog)).rejects.toMatchObject({ name: 'MailUnknown' });
    expect(calls()).not.toContain('SendRawEmail');
  },
);

describe('A request that had no effect', () => {
  test('sends no mail if the service does not know that its claim is stored, and can be repeated', async () => {
    const dog = await mailingDog();
    plan('PutItem', 'response lost', 4);
    await expect(send(dog)).rejects.toThrow(Unavailable);
    expect(calls()).not.toContain('SendRawEmail');
    reset();
    expect((await send(dog)).kind).toBe('recorded');
  });

  test('can be repeated with other content, because its key is unused and its mail was not counted', async () => {
    const dog = await mailingDog();
    setLimits({ mailsPerDog: 1 });
    plan('SendRawEmail', 'throttled');
    await expect(send(dog)).rejects.toMatchObject({ name: 'MailNotSent' });
    expect((await send(dog, { message: 'Another' })).kind).toBe('recorded');
    setLimits(undefined);
  });

  test('makes repeats throw MailUnknown after the lease if the deletion of its claim fails', async () => {
    const dog = await mailingDog();
    plan('SendRawEmail', 'refused');
    plan('DeleteItem', 'fails before', 1_000);
    await expect(send(dog)).rejects.toMatchObject({ name: 'MailRefused' });
    expect(logs.warn).toHaveLength(1);
    reset();
    await expect(send(dog, { after: leaseSeconds - 1 })).rejects.toMatchObject({ name: 'RequestInProgress' });
    await expect(send(dog, { after: leaseSeconds })).rejects.toMatchObject({ name: 'MailUnknown' });
    expect(sent()).toEqual([]);
  });
});
