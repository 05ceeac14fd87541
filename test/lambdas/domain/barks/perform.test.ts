import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { cancelBark } from '../../../../lambdas/domain/barks/cancel.ts';
import { failBark, performBark } from '../../../../lambdas/domain/barks/perform.ts';
import { listBarks, readBark, readDogView } from '../../../../lambdas/domain/barks/queries.ts';
import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import type { Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import { sortKey } from '../../../../lambdas/domain/dogs/keys.ts';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import { MailNotSent, NotFound, NotYet, TooLate } from '../../../../lambdas/domain/platform/errors.ts';
import { acceptBark, barkNumbers, noBark, recordedBark } from '../../../support/barks.ts';
import { at, newContext } from '../../../support/context.ts';
import { newDog, replaceSettings, settingsOf } from '../../../support/dogs.ts';
import { calls, Process, plan, reset, sent, useFunctions } from '../../../support/faults.ts';
import { useLogs } from '../../../support/logs.ts';

useFunctions();
const logs = useLogs();

const minute = 60;
/** The deadline of a bark, in seconds after its request: the cancellation window plus fifteen minutes. */
const deadline = 5 + 15 * minute;
const unknownBark = 'a01KAK0XW00ABCDEFGHJKMNPQRS';
const mailed: Effect[] = ['emailDog', 'record'];

async function dogWith(...barkEffects: Effect[]): Promise<string> {
  const dog = await newDog('async', barkEffects);
  reset();
  return dog;
}

/** Creates a dog with a pending bark. */
async function pendingBark(...barkEffects: Effect[]): Promise<{ dog: string; bark: string }> {
  const dog = await dogWith(...barkEffects);
  const bark = await acceptBark(dog);
  reset();
  return { dog, bark };
}

/** Performs the bark of a dog in a run of its workflow. @param after the time of the run, in seconds */
function perform({ dog, bark }: { dog: string; bark: string }, after = 0): Promise<unknown> {
  return performBark(dog, bark, newContext({ after }));
}

/** Runs a function in a process that dies at a call. */
async function dieAt(operation: string, work: () => Promise<unknown>): Promise<void> {
  const process = new Process();
  process.plan(operation, 'dies');
  await process.run(work);
  expect(process.dead).toBe(true);
}

/** Returns the visible state of a bark and of its dog. */
async function seen({ dog, bark }: { dog: string; bark: string }, after = 0) {
  const context = newContext({ after });
  const [{ barking }, { status, reason }, numbers] = await Promise.all([
    readDogView(dog, context),
    readBark(dog, bark, context),
    barkNumbers(dog, context),
  ]);
  return { status, ...(reason && { reason }), ...numbers, barking };
}

const pending = { status: 'pending', ...noBark, barking: true };
const complete = { status: 'complete', ...recordedBark, barking: false };
const failed = { status: 'failed', ...noBark, barking: false };
const notInTime = 'The bark was not performed in time.';
const mailUnknown = 'The mail may have been sent.';

describe('performBark', () => {
  test.each<[Effect, boolean]>([
    ['record', true],
    ['count', true],
    ['emailDog', false],
  ])(
    'completes a bark with the effect %s, which redirects to the dog if the dog changed: %p',
    async (effect, seeDog) => {
      const { dog, bark } = await pendingBark(effect);
      await perform({ dog, bark }, 5);
      expect(await readBark(dog, bark, newContext())).toMatchObject({ seeDog, timestamp: at + 5 });
    },
  );

  test('uses the effects at the time of the acceptance and the current address', async () => {
    const one = await pendingBark('emailDog');
    await replaceSettings(one.dog, { ...settingsOf('count'), email: 'new@example.com' });
    await perform(one);
    expect(sent()).toMatchObject([{ to: ['new@example.com'] }]);
    expect(await seen(one)).toMatchObject({ status: 'complete', count: 0 });
  });

  test('fails the bark with a reason if the dog no longer has the address', async () => {
    const one = await pendingBark(...mailed);
    await replaceSettings(one.dog, settingsOf('count'));
    await perform(one);
    const reason = 'The dog no longer has an email address that this bark needs.';
    expect(await seen(one)).toEqual({ ...failed, reason });
    expect(sent()).toEqual([]);
  });

  test('completes a bark that only sends mail if the dog is deleted in the meantime, because the mail was sent', async () => {
    const one = await pendingBark('emailDog');
    plan('SendRawEmail', () => deleteDog(one.dog, {}, newContext()));
    expect(await perform(one)).toBe('complete');
    expect(sent()).toHaveLength(1);
    await expect(readBark(one.dog, one.bark, newContext())).rejects.toThrow(NotFound);
  });
});

// The faults in test/faults occur at every call. These examples explain the protocol of the mail.
describe('The mail of an asynchronous bark', () => {
  test('is claimed by one run: until the lease of a dead run ends, no other run may end the bark, and then the bark fails', async () => {
    const one = await pendingBark(...mailed);
    await dieAt('SendRawEmail', () => perform(one));
    await expect(perform(one, minute - 1)).rejects.toThrow(NotYet);
    const early = failBark(one.dog, one.bark, newContext({ after: minute - 1 }));
    await expect(early).rejects.toThrow(NotYet);
    await perform(one, minute);
    expect(await seen(one)).toEqual({ ...failed, reason: mailUnknown });
    expect(sent()).toEqual([]);
  });

  test('is sent by the next run even if an attempt to claim the bark arrives after the run has released its claim', async () => {
    const one = await pendingBark(...mailed);
    let claim: RequestInit = {};
    plan('UpdateItem', async ({ headers, body }) => {
      claim = { method: 'POST', headers, body: new Uint8Array(body as Uint8Array) };
    });
    plan('SendRawEmail', 'throttled');
    await expect(perform(one)).rejects.toThrow(MailNotSent);
    const late = await fetch(String(process.env.AWS_ENDPOINT_URL_DYNAMODB), claim);
    expect(await late.text()).toContain('ConditionalCheckFailedException');
    await perform(one);
    expect([await seen(one), sent().length]).toEqual([complete, 1]);
  });

  test('is left to the run that claims the bark first, or is not sent if the bark is cancelled first', async () => {
    const [one, other] = [await pendingBark(...mailed), await pendingBark(...mailed)];
    plan('UpdateItem', () => dieAt('SendRawEmail', () => perform(one)));
    const another = `Another run is performing the bark "${one.bark}".`;
    await expect(perform(one)).rejects.toThrow(another);
    await expect(perform(one)).rejects.toThrow(another);
    plan('UpdateItem', () => cancelBark(other.dog, other.bark, newContext()));
    expect([await perform(other), await perform(other)]).toEqual([undefined, 'cancelled']);
    expect(sent()).toEqual([]);
  });

  test.each([
    [
      'SES refuses it',
      'refused',
      'The mail service refused the mail. No mail was sent. Check the email address.',
    ],
    ['the response of SES is lost', 'response lost', mailUnknown],
  ] as const)('is not sent again if %s, and the bark fails and is not counted', async (_, fault, reason) => {
    const one = await pendingBark(...mailed);
    plan('SendRawEmail', fault);
    for (let run = 0; run < 2; run++) await perform(one);
    expect(calls().filter((name) => name === 'SendRawEmail')).toHaveLength(1);
    expect(await seen(one)).toEqual({ ...failed, reason });
    expect(logs.error).toEqual([{ event: 'MailFailed', ...one, error: expect.anything() }]);
  });
});

describe('cancelBark', () => {
  test('cancels the bark until its deadline, and then throws TooLate', async () => {
    const { dog, bark } = await pendingBark('record');
    const overdue = cancelBark(dog, bark, newContext({ after: deadline }));
    await expect(overdue).rejects.toThrow(TooLate);
    await cancelBark(dog, bark, newContext({ after: deadline - 1 }));
  });

  test('throws NotFound if the dog is deleted in the meantime', async () => {
    const one = await pendingBark('record');
    plan('TransactWriteItems', async () => {
      await deleteDog(one.dog, {}, newContext());
      await perform(one);
    });
    await expect(cancelBark(one.dog, one.bark, newContext())).rejects.toThrow(NotFound);
  });
});

describe('failBark', () => {
  test('fails a pending bark, logs the failure, and does nothing when it is repeated or for an unknown bark', async () => {
    const { dog, bark } = await pendingBark('record');
    for (const id of [bark, bark, unknownBark]) await failBark(dog, id, newContext());
    await perform({ dog, bark });
    const reason = 'The service failed.';
    expect(await seen({ dog, bark })).toEqual({ ...failed, reason });
    expect(logs.error).toEqual([{ event: 'BarkFailed', dog, bark, reason }]);
  });
});

describe('The deadline of an asynchronous bark', () => {
  test('makes a bark without an execution appear as failed, and no later run performs it', async () => {
    const one = await pendingBark(...mailed);
    expect(await seen(one, deadline - 1)).toEqual(pending);
    expect(await seen(one, deadline)).toEqual({ ...failed, reason: notInTime });
    await perform(one, deadline);
    expect(sent()).toEqual([]);
    expect(await seen(one, deadline)).toEqual({ ...failed, reason: notInTime });
  });

  test('is met because no run begins in the last minute before it', async () => {
    const one = await pendingBark('record');
    expect(await perform(one, deadline - minute)).toBe('failed');
    expect(logs.error).toEqual([{ event: 'BarkFailed', ...one, reason: notInTime }]);
    expect(await seen(one, deadline - minute)).toEqual(pending);
    await perform(one, deadline - minute - 1);
    expect(await seen(one)).toEqual(complete);
  });
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
    expect(await seen(one)).toEqual({ ...pending, barking: false });
    await perform(one);
    expect(await seen(one)).toEqual(complete);
  });

  test('have one resource ID, so that the history entry is not a second resource', async () => {
    const one = await pendingBark('record');
    await perform(one);
    const { barks, next } = await listBarks(one.dog, { limit: 1 }, newContext());
    expect(barks.map(({ id }) => id)).toEqual([one.bark]);
    const [ulid] = String(next).split('.');
    await expect(readBark(one.dog, `s${ulid}`, newContext())).rejects.toThrow(NotFound);
  });

  test('do not show the dog as barking after the deadline, even if the pending marker is still there', async () => {
    const { dog, bark } = await pendingBark('record');
    await database.send(
      new UpdateCommand({
        TableName: process.env.BARKS_TABLE,
        Key: { dog, sk: sortKey('asyncBark', bark.slice(1)) },
        UpdateExpression: 'SET #status = :failed',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':failed': 'failed' },
      }),
    );
    const isBarking = async (after: number) => (await readDogView(dog, newContext({ after }))).barking;
    expect([await isBarking(deadline - 1), await isBarking(deadline)]).toEqual([true, false]);
  });
});
