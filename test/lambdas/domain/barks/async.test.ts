import { DeleteCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { cancelBark } from '../../../../lambdas/domain/barks/cancel.ts';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { failBark, performBark } from '../../../../lambdas/domain/barks/perform.ts';
import { listBarks, readBark, readDogView } from '../../../../lambdas/domain/barks/queries.ts';
import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import type { Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import { sortKey } from '../../../../lambdas/domain/dogs/keys.ts';
import { readDog } from '../../../../lambdas/domain/dogs/read.ts';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import {
  MailNotSent,
  NotFound,
  NotYet,
  PreconditionFailed,
  TooLate,
  Unavailable,
} from '../../../../lambdas/domain/platform/errors.ts';
import { purgeDog } from '../../../../lambdas/domain/removal/purge.ts';
import { acceptBark, barkNumbers, noBark, recordedBark } from '../../../support/barks.ts';
import { at, newContext } from '../../../support/context.ts';
import { useDatabase } from '../../../support/database.ts';
import { newDog, recreateDog, replaceSettings, settingsOf } from '../../../support/dogs.ts';
import { calls, injectFaults, Process, plan, reset, sent, started } from '../../../support/faults.ts';
import { useLogs } from '../../../support/logs.ts';

useDatabase();
const logs = useLogs();
beforeAll(injectFaults);
beforeEach(reset);

const minute = 60;
/** The deadline of a bark: the cancellation window and fifteen minutes after its request, in seconds. */
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
const cancelled = { status: 'cancelled', ...noBark, barking: false };
const failed = { status: 'failed', ...noBark, barking: false };
const notInTime = 'The bark was not performed in time.';
const mailUnknown = 'The mail may have been sent.';

describe('createBark, for an asynchronous bark,', () => {
  test('starts the execution, then writes the bark, and does not change the dog', async () => {
    const dog = await dogWith('record');
    const before = await readDogView(dog, newContext());
    reset();
    const outcome = await createBark(dog, { message: 'Hello' }, newContext());
    expect(calls()).toEqual(['GetItem', 'StartExecution', 'TransactWriteItems']);
    expect(outcome).toMatchObject({ kind: 'accepted', bark: { status: 'pending', timestamp: null } });
    expect((await readDogView(dog, newContext())).dog).toEqual(before.dog);
  });

  test('accepts the bark of a dog with synchronous handling if the client asks for an asynchronous bark', async () => {
    const dog = await newDog('sync', ['record']);
    expect(await createBark(dog, { isAsync: true }, newContext())).toMatchObject({ kind: 'accepted' });
  });

  test('throws Unavailable and leaves an execution without a bark if it cannot write the bark', async () => {
    const dog = await dogWith('record');
    plan('TransactWriteItems', 'fails before', 1_000);
    await expect(createBark(dog, {}, newContext())).rejects.toThrow(Unavailable);
    reset();
    expect(await readDogView(dog, newContext())).toMatchObject({ barking: false, previous: [] });
    const [execution] = started(dog);
    await expect(perform({ dog, bark: execution?.bark ?? '' })).rejects.toThrow(NotYet);
  });

  test('recognizes its own bark if the response is lost and DynamoDB has forgotten the token', async () => {
    const dog = await dogWith('record');
    plan('TransactWriteItems', 'response and token lost');
    expect(await createBark(dog, {}, newContext())).toMatchObject({ kind: 'accepted' });
  });
});

describe('An asynchronous bark that is accepted while its dog is deleted and purged', () => {
  test('is not visible and has no effect, and nothing remains of it after seven days', async () => {
    const dog = await dogWith('emailDog', 'count');
    const deleted = await readDog(dog, newContext());
    plan('TransactWriteItems', async () => {
      await deleteDog(dog, {}, newContext());
      await purgeDog(deleted, newContext());
    });
    const key = { user: 'jane', resource: 'barks', value: 'a' } as const;
    const outcome = await createBark(dog, { key }, newContext());
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
    const one = { dog, bark: outcome.bark.id };
    await expect(readBark(dog, one.bark, newContext())).rejects.toThrow(NotFound);
    expect(await perform(one)).toBe('failed');
    expect(sent()).toEqual([]);
    await replaceSettings(dog);
    await expect(readBark(dog, one.bark, newContext())).rejects.toThrow(NotFound);
    const { Items = [] } = await database.send(
      new QueryCommand({
        TableName: process.env.BARKS_TABLE,
        KeyConditionExpression: 'dog = :dog',
        ExpressionAttributeValues: { ':dog': dog },
        ConsistentRead: true,
      }),
    );
    // The bark and the idempotency record.
    expect(Items.map(({ sk }) => sk[0]).sort()).toEqual(['a', 'k']);
    for (const { expires } of Items) expect(expires).toBeLessThan(at + 8 * 24 * 60 * minute);
    expect(await purgeDog(deleted, newContext())).toBe(2);
  });
});

describe('performBark', () => {
  test.each<[Effect[], object, number]>([
    [['count'], { ...complete, recorded: 0 }, 0],
    [['record'], complete, 0],
    [['emailDog'], { ...complete, ...noBark }, 1],
    [['emailOwner'], { ...complete, ...noBark }, 1],
    [['emailDog', 'emailOwner', 'record'], complete, 1],
  ])(
    'performs each of the effects %j once, even if the bark is delivered again',
    async (effects, end, mails) => {
      const one = await pendingBark(...effects);
      for (let run = 0; run < 2; run++) await perform(one);
      expect(sent()).toHaveLength(mails);
      expect(await seen(one)).toEqual(end);
    },
  );

  test('makes one transaction, and first claims the bark with a single write if it sends mail', async () => {
    await perform(await pendingBark('record'));
    expect(calls()).toEqual(['BatchGetItem', 'TransactWriteItems']);
    await perform(await pendingBark(...mailed));
    expect(calls()).toEqual(['BatchGetItem', 'UpdateItem', 'SendRawEmail', 'TransactWriteItems']);
  });

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

  test.each<[Effect[], number]>([
    [['record'], 0],
    [mailed, 1],
  ])(
    'performs a bark with the effects %j once when it is delivered ten times concurrently',
    async (effects, mails) => {
      const one = await pendingBark(...effects);
      const runs = await Promise.allSettled(Array.from({ length: 10 }, () => perform(one)));
      for (const run of runs) if (run.status === 'rejected') expect(run.reason).toBeInstanceOf(NotYet);
      expect(await seen(one)).toEqual(complete);
      expect(sent()).toHaveLength(mails);
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

  test('does nothing for a deleted dog, even if a new dog has the same ID', async () => {
    const { dog, bark } = await pendingBark(...mailed);
    await deleteDog(dog, {}, newContext());
    await perform({ dog, bark });
    await replaceSettings(dog);
    await perform({ dog, bark });
    expect(sent()).toEqual([]);
    expect(await barkNumbers(dog)).toEqual(noBark);
    await expect(readBark(dog, bark, newContext())).rejects.toThrow(NotFound);
    await expect(cancelBark(dog, bark, newContext())).rejects.toThrow(NotFound);
  });

  test.each<[string, (dog: string) => Promise<unknown>]>([
    ['the dog is deleted', (dog) => deleteDog(dog, {}, newContext())],
    ['a new dog replaces the deleted dog', recreateDog],
  ])('does not count the bark if %s in the meantime', async (_, change) => {
    const one = await pendingBark(...mailed);
    plan('SendRawEmail', () => change(one.dog));
    await perform(one);
    await replaceSettings(one.dog);
    expect(await readDogView(one.dog, newContext())).toMatchObject({
      dog: { barkCount: 0 },
      previous: [],
      barking: false,
    });
  });

  test('completes a bark that only sends mail if the dog is deleted in the meantime, because the mail was sent', async () => {
    const one = await pendingBark('emailDog');
    plan('SendRawEmail', () => deleteDog(one.dog, {}, newContext()));
    expect(await perform(one)).toBe('complete');
    expect(sent()).toHaveLength(1);
    await expect(readBark(one.dog, one.bark, newContext())).rejects.toThrow(NotFound);
  });

  test('has no effect if the client cancels the bark at the last moment', async () => {
    const one = await pendingBark(...mailed);
    plan('UpdateItem', () => cancelBark(one.dog, one.bark, newContext()));
    await perform(one);
    expect([await seen(one), sent()]).toEqual([cancelled, []]);
  });

  test('throws NotYet if the bark has not been stored yet', async () => {
    const dog = await dogWith('record');
    await expect(perform({ dog, bark: unknownBark })).rejects.toThrow(NotYet);
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

  test.each(['throttled', 'sender refused'] as const)(
    'is sent once by the next run if SES did not send it, because the run releases its claim: %s',
    async (fault) => {
      const one = await pendingBark(...mailed);
      plan('SendRawEmail', fault);
      await expect(perform(one)).rejects.toThrow(MailNotSent);
      expect(await seen(one)).toEqual(pending);
      await perform(one);
      expect(sent()).toHaveLength(1);
      expect(await seen(one)).toEqual(complete);
    },
  );

  test('is sent once if the response to the claim is lost', async () => {
    const one = await pendingBark(...mailed);
    plan('UpdateItem', 'response lost');
    await perform(one);
    expect(calls()).toEqual(expect.arrayContaining(['UpdateItem', 'UpdateItem', 'SendRawEmail']));
    expect([await seen(one), sent().length]).toEqual([complete, 1]);
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

  test('does not prevent the workflow from failing the bark after a run has released its claim', async () => {
    const one = await pendingBark(...mailed);
    plan('SendRawEmail', 'throttled');
    await expect(perform(one)).rejects.toThrow(MailNotSent);
    await failBark(one.dog, one.bark, newContext());
    expect(await seen(one)).toEqual({ ...failed, reason: 'The service failed.' });
  });

  test('is not sent by a run that read the bark before another run claimed and released it', async () => {
    const one = await pendingBark(...mailed);
    plan('SendRawEmail', 'throttled');
    plan('UpdateItem', async () => {
      await expect(perform(one)).rejects.toThrow(MailNotSent);
    });
    await expect(perform(one)).rejects.toThrow(NotYet);
    expect([await seen(one), sent()]).toEqual([pending, []]);
  });

  test('does not prevent a client from cancelling the bark if SES throttles the mail', async () => {
    const one = await pendingBark(...mailed);
    plan('SendRawEmail', 'throttled');
    await expect(perform(one)).rejects.toThrow(MailNotSent);
    await cancelBark(one.dog, one.bark, newContext());
    await perform(one);
    expect([await seen(one), sent()]).toEqual([cancelled, []]);
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

describe('A run during an outage', () => {
  test('leaves a bark without mail pending, and the next run performs it', async () => {
    const one = await pendingBark('record');
    // The SDK makes four attempts.
    plan('TransactWriteItems', 'fails before', 4);
    await expect(perform(one)).rejects.toThrow(Unavailable);
    expect(await seen(one)).toEqual(pending);
    await perform(one);
    expect(await seen(one)).toEqual(complete);
  });
});

describe('cancelBark', () => {
  test('cancels the bark even if all responses of the write are lost, and succeeds when it is repeated', async () => {
    const { dog, bark } = await pendingBark('record');
    plan('TransactWriteItems', 'response lost', 1_000);
    const first = cancelBark(dog, bark, newContext({ milliseconds: 300 }));
    await expect(first).rejects.toThrow(Unavailable);
    reset();
    await cancelBark(dog, bark, newContext());
    expect(await seen({ dog, bark })).toEqual(cancelled);
  });

  test('checks the preconditions against the bark before it changes anything', async () => {
    const { dog, bark } = await pendingBark('record');
    const refusal = new PreconditionFailed('No.');
    const statuses: string[] = [];
    const check = ({ status }: { status: string }) => {
      statuses.push(status);
      throw refusal;
    };
    await expect(cancelBark(dog, bark, newContext(), check)).rejects.toThrow(refusal);
    expect(calls()).toEqual(['BatchGetItem']);
    await cancelBark(dog, bark, newContext());
    await expect(cancelBark(dog, bark, newContext(), check)).rejects.toThrow(refusal);
    expect(statuses).toEqual(['pending', 'cancelled']);
  });

  test('cannot cancel a bark that a run claims after the check of the preconditions', async () => {
    const one = await pendingBark('record');
    plan('TransactWriteItems', async () => {
      await perform(one);
    });
    await expect(cancelBark(one.dog, one.bark, newContext(), () => {})).rejects.toThrow(TooLate);
    expect(await seen(one)).toEqual(complete);
  });

  test('prevents every effect of a bark that has not begun, and does nothing when it is repeated', async () => {
    const { dog, bark } = await pendingBark(...mailed);
    await cancelBark(dog, bark, newContext());
    expect(calls()).toEqual(['BatchGetItem', 'TransactWriteItems']);
    reset();
    await cancelBark(dog, bark, newContext());
    expect(calls()).toEqual(['BatchGetItem']);
    await perform({ dog, bark });
    await failBark(dog, bark, newContext());
    expect([await seen({ dog, bark }), sent()]).toEqual([cancelled, []]);
  });

  test('throws TooLate while the mail is being sent, and after the bark is complete', async () => {
    const one = await pendingBark(...mailed);
    const cancel = () => expect(cancelBark(one.dog, one.bark, newContext())).rejects.toThrow(TooLate);
    plan('SendRawEmail', cancel);
    await perform(one);
    await cancel();
    expect(await seen(one)).toEqual(complete);
  });

  test('throws TooLate after the bark has failed', async () => {
    const { dog, bark } = await pendingBark('record');
    await failBark(dog, bark, newContext());
    await expect(cancelBark(dog, bark, newContext())).rejects.toThrow(TooLate);
  });

  test('cancels the bark until its deadline, and then throws TooLate', async () => {
    const { dog, bark } = await pendingBark('record');
    const overdue = cancelBark(dog, bark, newContext({ after: deadline }));
    await expect(overdue).rejects.toThrow(TooLate);
    await cancelBark(dog, bark, newContext({ after: deadline - 1 }));
  });

  test('throws TooLate for a synchronous bark, and NotFound for an unknown ID', async () => {
    const dog = await newDog('sync', ['record']);
    await createBark(dog, {}, newContext());
    const { barks } = await listBarks(dog, { limit: 1 }, newContext());
    await expect(cancelBark(dog, barks[0]?.id ?? '', newContext())).rejects.toThrow(TooLate);
    for (const unknown of [unknownBark, unknownBark.replace('a', 's'), 'x', ''])
      await expect(cancelBark(dog, unknown, newContext())).rejects.toThrow(NotFound);
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

  test('adds to the reason that the mail may have been sent if it was being handed to SES', async () => {
    const one = await pendingBark(...mailed);
    await dieAt('SendRawEmail', () => perform(one));
    expect(await seen(one, deadline)).toEqual({ ...failed, reason: `${notInTime} ${mailUnknown}` });
  });

  test('is met because no run begins in the last minute before it', async () => {
    const one = await pendingBark('record');
    await perform(one, deadline - minute);
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
