import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { cancelBark } from '../../../../lambdas/domain/barks/cancel.ts';
import { sortKey } from '../../../../lambdas/domain/barks/keys.ts';
import { failBark, performBark } from '../../../../lambdas/domain/barks/perform.ts';
import { readBark, readDogView } from '../../../../lambdas/domain/barks/queries.ts';
import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import type { Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import { NotFound, NotYet } from '../../../../lambdas/domain/platform/errors.ts';
import { acceptBark, barkNumbers, noBark, recordedBark } from '../../../support/barks.ts';
import { at, newContext } from '../../../support/context.ts';
import { newDog, replaceSettings, settingsOf } from '../../../support/dogs.ts';
import { type Fault, Process, plan, reset, sent, useFunctions } from '../../../support/faults.ts';
import { useLogs } from '../../../support/logs.ts';

useFunctions();
const logs = useLogs();

const minute = 60;
/** The deadline of a bark, in seconds after its request: the cancellation window plus fifteen minutes. */
const deadline = 5 + 15 * minute;

async function pendingBark(...barkEffects: Effect[]): Promise<{ dog: string; bark: string }> {
  const dog = await newDog('async', barkEffects);
  const bark = await acceptBark(dog);
  reset();
  return { dog, bark };
}

/** Performs the bark of a dog in a run of its workflow. @param after the time of the run, in seconds */
function perform({ dog, bark }: { dog: string; bark: string }, after = 0): Promise<unknown> {
  return performBark(dog, bark, newContext({ after }));
}

async function seen({ dog, bark }: { dog: string; bark: string }, after = 0) {
  const context = newContext({ after });
  const [{ barking }, { status, reason }, numbers] = await Promise.all([
    readDogView(dog, context),
    readBark(dog, bark, context),
    barkNumbers(dog, context),
  ]);
  return { status, ...(reason && { reason }), ...numbers, barking };
}

/** Begins a run that dies when it sends the mail. */
async function dieAtMail(one: { dog: string; bark: string }): Promise<void> {
  const process = new Process();
  process.plan('SendRawEmail', 'dies');
  await process.run(() => perform(one));
  expect(process.dead).toBe(true);
}

const complete = { status: 'complete', ...recordedBark, barking: false };
const failed = { status: 'failed', ...noBark, barking: false };
const mailUnknown = 'The mail may have been sent.';

// The faults in test/faults occur at every call. These examples state times and texts.
describe('performBark', () => {
  test('fails the bark with a reason if the dog no longer has the address', async () => {
    const one = await pendingBark('emailDog', 'record');
    await replaceSettings(one.dog, settingsOf('count'));
    await perform(one);
    const reason = 'The dog no longer has an email address that this bark needs.';
    expect(await seen(one)).toEqual({ ...failed, reason });
    expect(sent()).toEqual([]);
  });

  const refused = 'The mail service refused the mail. No mail was sent. Check the email address.';
  test.each<[string, Fault, string]>([
    ['SES refuses the mail', 'refused', refused],
    ['the response of SES is lost', 'response lost', mailUnknown],
  ])('fails the bark with a reason, and logs the error, if %s', async (_, fault, reason) => {
    const one = await pendingBark('emailDog', 'record');
    plan('SendRawEmail', fault);
    await perform(one);
    expect(await seen(one)).toEqual({ ...failed, reason });
    expect(logs.error).toEqual([{ event: 'MailFailed', ...one, error: expect.anything() }]);
  });

  test('sends the mail in the next run if SES throttles it', async () => {
    const one = await pendingBark('emailDog', 'record');
    plan('SendRawEmail', 'throttled');
    await expect(perform(one)).rejects.toMatchObject({ name: 'MailNotSent' });
    await perform(one);
    expect([await seen(one), sent().length]).toEqual([complete, 1]);
  });

  test('leaves the mail to the run that claims the bark first, and sends none if a client cancels the bark first', async () => {
    const [one, other] = [await pendingBark('emailDog', 'record'), await pendingBark('emailDog', 'record')];
    plan('UpdateItem', () => dieAtMail(one));
    await expect(perform(one)).rejects.toThrow(`Another run is performing the bark "${one.bark}".`);
    plan('UpdateItem', () => cancelBark(other.dog, other.bark, newContext()));
    expect([await perform(other), await perform(other)]).toEqual([undefined, 'cancelled']);
    expect(sent()).toEqual([]);
  });

  test('completes a bark that only sends mail if the dog is deleted in the meantime, because the mail was sent', async () => {
    const one = await pendingBark('emailDog');
    plan('SendRawEmail', () => deleteDog(one.dog, {}, newContext()));
    expect(await perform(one)).toBe('complete');
    expect(sent()).toHaveLength(1);
  });

  test('and failBark throw NotYet until the lease of a dead run ends, a minute after its claim', async () => {
    const one = await pendingBark('emailDog', 'record');
    await dieAtMail(one);
    await expect(perform(one, minute - 1)).rejects.toThrow(NotYet);
    await expect(
      failBark(one.dog, one.bark, 'the delivery', newContext({ after: minute - 1 })),
    ).rejects.toThrow(NotYet);
    await perform(one, minute);
    expect(await seen(one)).toEqual({ ...failed, reason: mailUnknown });
  });

  test('begins no run in the last minute before the deadline', async () => {
    const one = await pendingBark('record');
    expect(await perform(one, deadline - minute)).toBe('failed');
    const reason = 'The bark was not performed in time.';
    expect(logs.error).toEqual([{ event: 'BarkFailed', ...one, reason }]);
    await perform(one, deadline - minute - 1);
    expect(await seen(one)).toEqual(complete);
  });
});

test('failBark fails a pending bark, and logs the failure once', async () => {
  const { dog, bark } = await pendingBark('record');
  for (const delivery of ['the delivery', 'another delivery'])
    await failBark(dog, bark, delivery, newContext());
  const reason = 'The service failed.';
  expect(await seen({ dog, bark })).toEqual({ ...failed, reason });
  expect(logs.error).toEqual([{ event: 'BarkFailed', dog, bark, reason }]);
});

test.each<[string, (one: { dog: string; bark: string }) => Promise<unknown>]>([
  ['a client cancels the bark', ({ dog, bark }) => cancelBark(dog, bark, newContext())],
  ['another run completes the bark', (one) => perform(one)],
])('failBark logs nothing if %s before it can fail it', async (_, act) => {
  const one = await pendingBark('record');
  plan('TransactWriteItems', () => act(one));
  await failBark(one.dog, one.bark, 'the delivery', newContext());
  expect(logs.error).toEqual([]);
});

test('failBark logs a failure that an earlier attempt of the same delivery wrote before it died', async () => {
  const { dog, bark } = await pendingBark('record');
  const process = new Process();
  process.plan('TransactWriteItems', 'dies after');
  await process.run(() => failBark(dog, bark, 'the delivery', newContext()));
  expect([process.dead, logs.error]).toEqual([true, []]);
  await failBark(dog, bark, 'the delivery', newContext());
  expect(logs.error).toEqual([{ event: 'BarkFailed', dog, bark, reason: 'The service failed.' }]);
});

test('failBark logs a bark that is still pending after its deadline, and therefore counts as failed', async () => {
  const { dog, bark } = await pendingBark('record');
  await failBark(dog, bark, 'the delivery', newContext({ after: deadline }));
  expect(logs.error).toEqual([{ event: 'BarkFailed', dog, bark, reason: 'The service failed.' }]);
});

test('cancelBark throws NotFound if the dog is deleted in the meantime', async () => {
  const one = await pendingBark('record');
  plan('TransactWriteItems', async () => {
    await deleteDog(one.dog, {}, newContext());
    await perform(one);
  });
  await expect(cancelBark(one.dog, one.bark, newContext())).rejects.toThrow(NotFound);
});

describe('The items of an asynchronous bark', () => {
  const lifetime = deadline + 7 * 24 * 60 * minute;

  test.each<[string, Effect, boolean]>([
    ['expire seven days after the deadline', 'emailDog', true],
    ['expire seven days after the deadline', 'count', true],
    ['never expire', 'record', false],
  ])('%s with the effect %s', async (_, effect, expires) => {
    const one = await pendingBark(effect);
    await perform(one);
    const read = (after: number) => readBark(one.dog, one.bark, newContext({ after }));
    expect(await read(lifetime - 1)).toMatchObject({ status: 'complete' });
    if (expires) await expect(read(lifetime)).rejects.toThrow(NotFound);
    else expect(await read(lifetime)).toMatchObject({ status: 'complete' });
  });

  test('do not include a marker with the current key after an upgrade, and the bark is still performed', async () => {
    const one = await pendingBark('record');
    const sk = sortKey('pendingMarker', `${at + deadline}#${one.bark.slice(1)}`);
    const key = { TableName: process.env.BARKS_TABLE, Key: { dog: one.dog, sk } };
    const { Attributes } = await database.send(new DeleteCommand({ ...key, ReturnValues: 'ALL_OLD' }));
    expect(Attributes).toMatchObject({ sk });
    expect(await seen(one)).toEqual({ status: 'pending', ...noBark, barking: false });
    await perform(one);
    expect(await seen(one)).toEqual(complete);
  });
});
