import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import type { Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import {
  MailNotSent,
  MailRefused,
  MailUnavailable,
  MailUnknown,
  NotFound,
  Unavailable,
} from '../../../../lambdas/domain/platform/errors.ts';
import { barkNumbers, countedBark, noBark, recordedBark } from '../../../support/barks.ts';
import { newContext } from '../../../support/context.ts';
import { useDatabase } from '../../../support/database.ts';
import { newDog, recreateDog, replaceSettings } from '../../../support/dogs.ts';
import { calls, injectFaults, Process, plan, reset, sent } from '../../../support/faults.ts';
import { useLogs } from '../../../support/logs.ts';

useDatabase();
useLogs();
beforeAll(injectFaults);
beforeEach(reset);

async function dogWith(...barkEffects: Effect[]): Promise<string> {
  const dog = await newDog('sync', barkEffects);
  reset();
  return dog;
}

const bark = (dog: string) => createBark(dog, {}, newContext());

describe('createBark', () => {
  test.each<[string, Effect[], object, object, string[]]>([
    ['only sends mail', ['emailDog'], { kind: 'sent' }, noBark, ['SendRawEmail']],
    ['is counted but not recorded', ['count'], { kind: 'counted' }, countedBark, ['TransactWriteItems']],
    ['is recorded', ['record'], { kind: 'recorded' }, recordedBark, ['TransactWriteItems']],
    [
      'has all effects',
      ['emailDog', 'record'],
      { kind: 'recorded', bark: { status: 'complete' } },
      recordedBark,
      ['SendRawEmail', 'TransactWriteItems'],
    ],
  ])(
    'first sends the mail and then stores everything in one transaction, for a bark that %s',
    async (_, effects, outcome, stored, made) => {
      const dog = await dogWith(...effects);
      expect(await bark(dog)).toMatchObject(outcome);
      expect(calls()).toEqual(['GetItem', ...made]);
      expect(sent()).toHaveLength(made.includes('SendRawEmail') ? 1 : 0);
      expect(await barkNumbers(dog)).toEqual(stored);
    },
  );

  test('sends one mail to the dog and its owner', async () => {
    const dog = await dogWith('emailDog', 'emailOwner');
    await createBark(dog, { message: 'Hello' }, newContext());
    expect(sent()).toEqual([
      {
        to: ['dog@example.com', 'owner@example.com'],
        subject: `${dog} barked`,
        text: `Hello\n\n-- \nThe dog ${dog} barked at 2026-11-21T12:00:00.000Z.\n`,
      },
    ]);
  });

  test.each([2, 50])('counts %i identical concurrent requests as that many barks', async (count) => {
    const dog = await dogWith('record');
    await Promise.all(Array.from({ length: count }, () => bark(dog)));
    expect(await barkNumbers(dog)).toEqual({ count, inHistory: count, recorded: count });
  });

  test('throws NotFound for an unknown dog, without mail', async () => {
    await expect(bark('unknown')).rejects.toThrow(NotFound);
    expect(calls()).toEqual(['GetItem']);
  });

  test.each<[string, (dog: string) => Promise<unknown>]>([
    ['deleted', (dog) => deleteDog(dog, {}, newContext())],
    ['deleted and created again', recreateDog],
  ])(
    'throws NotFound and stores nothing if the dog is %s while the mail is being sent',
    async (_, change) => {
      const dog = await dogWith('emailDog', 'record');
      plan('SendRawEmail', () => change(dog));
      await expect(bark(dog)).rejects.toThrow(NotFound);
      expect(sent()).toHaveLength(1);
      await replaceSettings(dog);
      expect(await barkNumbers(dog)).toEqual(noBark);
    },
  );
});

// The faults in test/faults occur at every call. These examples explain the protocol.
describe('createBark, after a fault,', () => {
  test('counts the bark once if the response is lost and DynamoDB has forgotten the token', async () => {
    const dog = await dogWith('emailDog', 'record');
    plan('TransactWriteItems', 'response and token lost');
    expect(await bark(dog)).toMatchObject({ kind: 'recorded' });
    expect(await barkNumbers(dog)).toEqual(recordedBark);
    expect(sent()).toHaveLength(1);
  });

  test('does not repeat the mail if the response of SES is lost, throws MailUnknown, and stores nothing', async () => {
    const dog = await dogWith('emailDog', 'record');
    plan('SendRawEmail', 'response lost');
    await expect(bark(dog)).rejects.toThrow(MailUnknown);
    expect(calls()).toEqual(['GetItem', 'SendRawEmail']);
    expect(await barkNumbers(dog)).toEqual(noBark);
  });

  test.each([
    ['MailRefused', 'refuses the mail', 'refused', 1, MailRefused],
    ['MailUnavailable', 'accepts no mail of the service', 'sender refused', 1, MailUnavailable],
    ['MailNotSent', 'refuses three connections', 'no connection', 3, MailNotSent],
  ] as const)('throws %s and stores nothing if SES %s', async (_, _why, fault, times, error) => {
    const dog = await dogWith('emailDog', 'record');
    plan('SendRawEmail', fault, times);
    await expect(bark(dog)).rejects.toThrow(error);
    expect(calls()).toEqual(['GetItem', ...Array(times).fill('SendRawEmail')]);
    expect(await barkNumbers(dog)).toEqual(noBark);
  });

  test('throws Unavailable and stores nothing if DynamoDB does not respond', async () => {
    const dog = await dogWith('record');
    plan('TransactWriteItems', 'hangs');
    await expect(createBark(dog, {}, newContext({ milliseconds: 100 }))).rejects.toThrow(Unavailable);
    expect(await barkNumbers(dog)).toEqual(noBark);
  });

  test('has sent the mail and stored nothing if its process dies between the mail and the transaction', async () => {
    const dog = await dogWith('emailDog', 'record');
    const process = new Process();
    process.plan('TransactWriteItems', 'dies');
    await process.run(() => bark(dog));
    expect(process.sent()).toHaveLength(1);
    expect(await barkNumbers(dog)).toEqual(noBark);
  });
});
