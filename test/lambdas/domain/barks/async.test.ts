import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { cancelBark } from '../../../../lambdas/domain/barks/async/cancel.ts';
import { failBark } from '../../../../lambdas/domain/barks/async/fail.ts';
import { performBark } from '../../../../lambdas/domain/barks/async/perform.ts';
import type { Bark } from '../../../../lambdas/domain/barks/bark.ts';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { sortKey } from '../../../../lambdas/domain/barks/keys.ts';
import { listBarks, readBark, readDogView } from '../../../../lambdas/domain/barks/queries.ts';
import type { Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import { deleteDog, putDog } from '../../../../lambdas/domain/dogs/repository.ts';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import {
  MailNotSent,
  NotFound,
  NotYet,
  TooLate,
  Unavailable,
} from '../../../../lambdas/domain/platform/errors.ts';
import { useDatabase } from '../../../support/database.ts';
import { newDog } from '../../../support/dogs.ts';
import { calls, type Fault, injectFaults, plan, reset, sent } from '../../../support/faults.ts';

useDatabase();
beforeAll(injectFaults);
beforeEach(reset);
jest.spyOn(console, 'warn').mockImplementation(() => {});
const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
beforeEach(() => void logged.mockClear());

const now = Date.UTC(2026, 10, 21, 12, 0, 0);
const minute = 60_000;
/** A time after the deadlines of all barks in these tests. */
const afterDeadline = now + 20 * minute;

function newContext(at = now, milliseconds = 8_000) {
  return { now: at, signal: AbortSignal.timeout(milliseconds) };
}

async function dogWith(...barkEffects: Effect[]): Promise<string> {
  const id = await newDog('async', barkEffects);
  reset();
  return id;
}

async function accepted(id: string): Promise<string> {
  const outcome = await createBark(id, {}, newContext());
  if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
  reset();
  return outcome.bark.id;
}

/** Returns the visible state of a bark and of its dog. */
async function seen(id: string, barkId: string, at = now) {
  const [{ dog, previous, barking }, { status, reason }, { barks }] = await Promise.all([
    readDogView(id, newContext(at)),
    readBark(id, barkId, newContext(at)),
    listBarks(id, { limit: 100 }, newContext(at)),
  ]);
  return {
    status,
    ...(reason && { reason }),
    count: dog.barkCount,
    inHistory: previous.length,
    recorded: barks.length,
    barking,
  };
}

const pending = { status: 'pending', count: 0, inHistory: 0, recorded: 0, barking: true };
const complete = { status: 'complete', count: 1, inHistory: 1, recorded: 1, barking: false };
const cancelled = { ...pending, status: 'cancelled', barking: false };
const failed = { ...cancelled, status: 'failed', reason: expect.any(String) };

describe('createBark, for an asynchronous bark,', () => {
  test('starts the execution, then writes the bark, and does not change the dog', async () => {
    const id = await dogWith('record');
    const before = await readDogView(id, newContext());
    reset();
    const outcome = await createBark(id, { message: 'Hello' }, newContext());
    expect(calls()).toEqual(['GetItem', 'StartExecution', 'TransactWriteItems']);
    expect(outcome).toMatchObject({ kind: 'accepted', bark: { status: 'pending', timestamp: null } });
    expect((await readDogView(id, newContext())).dog).toEqual(before.dog);
  });

  test('accepts the bark of a dog with synchronous handling if the client asks for an asynchronous bark', async () => {
    const id = await dogWith('record');
    await putDog(
      id,
      { email: undefined, owner: undefined, barkEffects: ['record'], barkHandling: 'sync' },
      {},
      newContext(),
    );
    expect(await createBark(id, { isAsync: true }, newContext())).toMatchObject({ kind: 'accepted' });
  });

  test.each([
    ['GetItem', 'fails before'],
    ['GetItem', 'response lost'],
    ['StartExecution', 'fails before'],
    ['StartExecution', 'response lost'],
    ['StartExecution', 'hangs'],
    ['TransactWriteItems', 'fails before'],
    ['TransactWriteItems', 'conflict'],
    ['TransactWriteItems', 'hangs'],
  ] as const)('leaves no bark if %s fails at each try: %s', async (operation, fault) => {
    const id = await dogWith('record');
    plan(operation, fault, 1_000);
    await expect(createBark(id, {}, newContext(now, 300))).rejects.toThrow(Unavailable);
    reset();
    expect(await readDogView(id, newContext())).toMatchObject({ barking: false, previous: [] });
  });

  test('writes the bark once if the response is lost and DynamoDB has forgotten the token', async () => {
    const id = await dogWith('record');
    plan('TransactWriteItems', 'response and token lost');
    expect(await createBark(id, {}, newContext())).toMatchObject({ kind: 'accepted' });
  });

  test('leaves a bark for its execution to perform if all responses of the write are lost', async () => {
    const id = await dogWith('record');
    plan('TransactWriteItems', 'response lost', 1_000);
    await expect(createBark(id, {}, newContext(now, 300))).rejects.toThrow(Unavailable);
    reset();
    expect((await readDogView(id, newContext())).barking).toBe(true);
  });
});

describe('performBark', () => {
  test.each([
    [['count'], { ...complete, recorded: 0 }, 0],
    [['record'], complete, 0],
    [['emailDog'], { ...complete, count: 0, inHistory: 0, recorded: 0 }, 1],
    [['emailOwner'], { ...complete, count: 0, inHistory: 0, recorded: 0 }, 1],
    [['emailDog', 'emailOwner', 'record'], complete, 1],
  ] as const)('performs each of the effects %j once', async (effects, end, mails) => {
    const id = await dogWith(...effects);
    const barkId = await accepted(id);
    await performBark(id, barkId, 'first', newContext());
    expect(sent()).toHaveLength(mails);
    expect(await seen(id, barkId)).toEqual(end);
  });

  test('makes one transaction, and first claims the bark if it sends mail', async () => {
    const quiet = await dogWith('record');
    const quietBark = await accepted(quiet);
    await performBark(quiet, quietBark, 'first', newContext());
    expect(calls()).toEqual(['GetItem', 'GetItem', 'TransactWriteItems']);
    const loud = await dogWith('emailDog', 'record');
    const loudBark = await accepted(loud);
    await performBark(loud, loudBark, 'first', newContext());
    expect(calls()).toEqual(['GetItem', 'GetItem', 'TransactWriteItems', 'SendEmail', 'TransactWriteItems']);
  });

  test('completes a bark that redirects to the dog if the dog changed', async () => {
    for (const [effect, seeDog] of [
      ['record', true],
      ['count', true],
      ['emailDog', false],
    ] as const) {
      const id = await dogWith(effect);
      const barkId = await accepted(id);
      await performBark(id, barkId, 'first', newContext(now + 5_000));
      expect(await readBark(id, barkId, newContext())).toMatchObject({ seeDog, timestamp: now / 1000 + 5 });
    }
  });

  test.each([[['record']], [['emailDog', 'record']]] as const)(
    'does nothing when a bark with the effects %j is delivered again later',
    async (effects) => {
      const id = await dogWith(...effects);
      const barkId = await accepted(id);
      await performBark(id, barkId, 'first', newContext());
      await performBark(id, barkId, 'second', newContext());
      expect(await seen(id, barkId)).toEqual(complete);
      expect(sent().length).toBeLessThanOrEqual(1);
    },
  );

  test.each([[['record']], [['emailDog', 'record']]] as const)(
    'performs a bark with the effects %j once when it is delivered ten times concurrently',
    async (effects) => {
      const id = await dogWith(...effects);
      const barkId = await accepted(id);
      const runs = Array.from({ length: 10 }, (_, n) => performBark(id, barkId, `run ${n}`, newContext()));
      const reasons = (await Promise.allSettled(runs)).flatMap((run) =>
        run.status === 'rejected' ? [run.reason] : [],
      );
      expect(reasons.every((reason) => reason instanceof NotYet)).toBe(true);
      expect(await seen(id, barkId)).toEqual(complete);
      expect(sent().length).toBeLessThanOrEqual(1);
    },
  );

  test('uses the effects at the time of the acceptance and the current address', async () => {
    const id = await dogWith('emailDog');
    const barkId = await accepted(id);
    await putDog(
      id,
      { email: 'new@example.com', owner: undefined, barkEffects: ['count'], barkHandling: 'async' },
      {},
      newContext(),
    );
    await performBark(id, barkId, 'first', newContext());
    expect(sent()).toMatchObject([{ to: ['new@example.com'] }]);
    expect(await seen(id, barkId)).toMatchObject({ status: 'complete', count: 0 });
  });

  test('fails the bark with a reason if the dog no longer has the address', async () => {
    const id = await dogWith('emailDog', 'record');
    const barkId = await accepted(id);
    await putDog(
      id,
      { email: undefined, owner: undefined, barkEffects: ['count'], barkHandling: 'async' },
      {},
      newContext(),
    );
    await performBark(id, barkId, 'first', newContext());
    expect(await seen(id, barkId)).toEqual({
      ...failed,
      reason: 'The dog no longer has an email address that this bark needs.',
    });
    expect(sent()).toHaveLength(0);
  });

  test('does nothing for a deleted dog, even if a new dog has the same ID', async () => {
    const id = await dogWith('emailDog', 'record');
    const barkId = await accepted(id);
    await deleteDog(id, {}, newContext());
    await performBark(id, barkId, 'first', newContext());
    await dogAgain(id);
    await performBark(id, barkId, 'second', newContext());
    expect(sent()).toHaveLength(0);
    expect((await readDogView(id, newContext())).dog.barkCount).toBe(0);
    await expect(readBark(id, barkId, newContext())).rejects.toThrow(NotFound);
    await expect(cancelBark(id, barkId, newContext())).rejects.toThrow(NotFound);
  });

  test('does not count the bark if the dog is deleted in the meantime', async () => {
    const id = await dogWith('emailDog', 'record');
    const barkId = await accepted(id);
    plan('SendEmail', () => deleteDog(id, {}, newContext()));
    await performBark(id, barkId, 'first', newContext());
    await dogAgain(id);
    expect((await readDogView(id, newContext())).dog.barkCount).toBe(0);
  });

  test('does not change a dog that replaces the deleted dog in the meantime', async () => {
    const id = await dogWith('emailDog', 'record');
    const barkId = await accepted(id);
    plan('SendEmail', async () => {
      await deleteDog(id, {}, newContext());
      await dogAgain(id);
    });
    await performBark(id, barkId, 'first', newContext());
    expect(await readDogView(id, newContext())).toMatchObject({
      dog: { barkCount: 0 },
      previous: [],
      barking: false,
    });
  });

  test('throws NotYet if the bark has not been stored yet', async () => {
    const id = await dogWith('record');
    await expect(performBark(id, 'a01KAK0XW00ABCDEFGHJKMNPQRS', 'first', newContext())).rejects.toThrow(
      NotYet,
    );
  });
});

async function dogAgain(id: string): Promise<void> {
  await putDog(
    id,
    { email: undefined, owner: undefined, barkEffects: ['record'], barkHandling: 'sync' },
    {},
    newContext(),
  );
}

/** Runs the task until it succeeds, as the workflow does. If it does not succeed in eleven runs, fails the bark. */
async function workflow(id: string, barkId: string, from = now): Promise<void> {
  for (let run = 0; run < 11; run++) {
    const at = from + run * minute;
    const done = await performBark(id, barkId, `run ${run}`, newContext(at)).then(
      () => true,
      () => false,
    );
    if (done) return;
  }
  await failBark(id, barkId, newContext(from + 11 * minute));
}

describe('performBark, if its process dies,', () => {
  const operations = ['GetItem', 'TransactWriteItems', 'SendEmail'];
  const faults: Fault[] = ['fails before', 'response lost', 'response and token lost', 'hangs'];
  const nth = [1, 2];
  const cases = operations.flatMap((operation) =>
    faults.flatMap((fault) => nth.map((n) => [operation, fault as string, n] as const)),
  );

  test.each(cases)('leads to one bark or to none: %s %s, call number %i', async (operation, fault, n) => {
    const id = await dogWith('emailDog', 'record');
    const barkId = await accepted(id);
    if (n === 2) plan(operation, async () => {});
    plan(operation, fault as Fault, 3);
    await performBark(id, barkId, 'first', newContext(now, 400)).catch(() => {});
    const mailsThen = sent().length;
    reset();
    await workflow(id, barkId, now + 10_000);
    const end = await seen(id, barkId, now + 14 * minute);
    expect([complete, failed]).toContainEqual(end);
    if (end.status === 'failed' && mailsThen > 0) expect(end.reason).toContain('may have been sent');
    expect(mailsThen + sent().length).toBeLessThanOrEqual(1);
    if (end.status === 'complete') expect(mailsThen + sent().length).toBe(1);
  });

  test('leaves a bark without mail that the next run performs', async () => {
    for (const fault of ['fails before', 'response lost', 'hangs'] as const) {
      const id = await dogWith('record');
      const barkId = await accepted(id);
      plan('TransactWriteItems', fault, 3);
      await performBark(id, barkId, 'first', newContext(now, 300)).catch(() => {});
      reset();
      await workflow(id, barkId);
      expect(await seen(id, barkId)).toEqual(complete);
    }
  });

  test('leaves a claimed mail that other runs do not send, and that fails the bark when the lease ends', async () => {
    const id = await dogWith('emailDog', 'record');
    const barkId = await accepted(id);
    plan('SendEmail', 'hangs');
    await performBark(id, barkId, 'first', newContext(now, 200)).catch(() => {});
    reset();
    const dead = await accepted(id);
    plan('TransactWriteItems', async () => {});
    plan('TransactWriteItems', 'hangs');
    await performBark(id, dead, 'first', newContext(now, 200)).catch(() => {});
    reset();
    expect(sent()).toHaveLength(0);
    await expect(performBark(id, dead, 'second', newContext(now + 30_000))).rejects.toThrow(NotYet);
    await expect(failBark(id, dead, newContext(now + 30_000))).rejects.toThrow(NotYet);
    await performBark(id, dead, 'third', newContext(now + minute));
    expect((await readBark(id, dead, newContext())).reason).toContain('may have been sent');
  });
});

describe('The mail of an asynchronous bark', () => {
  test.each([
    ['throttles it', 'throttled', 1],
    ['refuses three connections', 'no connection', 3],
  ] as const)('is sent once by the next run if SES %s', async (_, fault, times) => {
    const id = await dogWith('emailDog', 'record');
    const barkId = await accepted(id);
    plan('SendEmail', fault, times);
    await expect(performBark(id, barkId, 'first', newContext())).rejects.toThrow(MailNotSent);
    expect(await seen(id, barkId)).toEqual(pending);
    await performBark(id, barkId, 'second', newContext());
    expect(sent()).toHaveLength(1);
    expect(await seen(id, barkId)).toEqual(complete);
  });

  test('does not prevent a client from cancelling the bark if SES throttles the mail', async () => {
    const id = await dogWith('emailDog', 'record');
    const barkId = await accepted(id);
    plan('SendEmail', 'throttled');
    await performBark(id, barkId, 'first', newContext()).catch(() => {});
    await cancelBark(id, barkId, newContext());
    await performBark(id, barkId, 'second', newContext());
    expect(sent()).toHaveLength(0);
    expect(await seen(id, barkId)).toEqual(cancelled);
  });

  test.each([
    ['refused', 'The mail service refused the mail. No mail was sent. Check the email address.'],
    ['fails before', 'The mail may have been sent.'],
    ['response lost', 'The mail may have been sent.'],
  ] as const)('fails the bark, which is not counted: %s', async (fault, reason) => {
    const id = await dogWith('emailDog', 'record');
    const barkId = await accepted(id);
    plan('SendEmail', fault);
    await performBark(id, barkId, 'first', newContext());
    await performBark(id, barkId, 'second', newContext());
    expect(calls().filter((name) => name === 'SendEmail')).toHaveLength(1);
    expect(await seen(id, barkId)).toEqual({ ...failed, reason });
    expect(logged.mock.calls).toEqual([
      [expect.objectContaining({ event: 'MailFailed', dog: id, bark: barkId, error: expect.anything() })],
    ]);
  });
});

describe('cancelBark', () => {
  test('prevents every effect of a bark that has not begun, and does nothing when it is repeated', async () => {
    const id = await dogWith('emailDog', 'record');
    const barkId = await accepted(id);
    await cancelBark(id, barkId, newContext());
    expect(calls()).toEqual(['GetItem', 'GetItem', 'TransactWriteItems', 'StopExecution']);
    reset();
    await cancelBark(id, barkId, newContext());
    expect(calls()).toEqual(['GetItem', 'GetItem']);
    await performBark(id, barkId, 'first', newContext());
    await failBark(id, barkId, newContext());
    expect(await seen(id, barkId)).toEqual(cancelled);
    expect(sent()).toHaveLength(0);
  });

  test('cancels the bark even if the execution cannot be stopped', async () => {
    const id = await dogWith('record');
    const barkId = await accepted(id);
    plan('StopExecution', 'fails before', 1_000);
    await cancelBark(id, barkId, newContext());
    await performBark(id, barkId, 'first', newContext());
    expect(await seen(id, barkId)).toEqual(cancelled);
  });

  test('cancels the bark if all responses of the write are lost, and succeeds when it is repeated', async () => {
    const id = await dogWith('record');
    const barkId = await accepted(id);
    plan('TransactWriteItems', 'response lost', 1_000);
    await expect(cancelBark(id, barkId, newContext(now, 300))).rejects.toThrow(Unavailable);
    reset();
    await cancelBark(id, barkId, newContext());
    expect(await seen(id, barkId)).toEqual(cancelled);
  });

  test('throws TooLate while the mail is being sent, and after the bark is complete, failed or overdue', async () => {
    const id = await dogWith('emailDog', 'record');
    const barkId = await accepted(id);
    let thrown: unknown;
    plan('SendEmail', () => cancelBark(id, barkId, newContext()).catch((error) => (thrown = error)));
    await performBark(id, barkId, 'first', newContext());
    expect(thrown).toBeInstanceOf(TooLate);
    await expect(cancelBark(id, barkId, newContext())).rejects.toThrow(TooLate);

    const refused = await accepted(id);
    plan('SendEmail', 'refused');
    await performBark(id, refused, 'first', newContext());
    await expect(cancelBark(id, refused, newContext())).rejects.toThrow(TooLate);

    const overdue = await accepted(id);
    await expect(cancelBark(id, overdue, newContext(afterDeadline))).rejects.toThrow(TooLate);
  });

  test('throws TooLate for a synchronous bark, and NotFound for an unknown ID', async () => {
    const id = await dogWith('record');
    await dogAgain(id);
    const outcome = await createBark(id, {}, newContext());
    if (outcome.kind !== 'recorded') throw new Error(outcome.kind);
    await expect(cancelBark(id, outcome.bark.id, newContext())).rejects.toThrow(TooLate);
    for (const unknown of ['a01KAK0XW00ABCDEFGHJKMNPQRS', 's01KAK0XW00ABCDEFGHJKMNPQRS', 'x', ''])
      await expect(cancelBark(id, unknown, newContext())).rejects.toThrow(NotFound);
  });

  test('throws NotFound if the dog is deleted in the meantime', async () => {
    const id = await dogWith('record');
    const barkId = await accepted(id);
    plan('TransactWriteItems', async () => {
      await deleteDog(id, {}, newContext());
      await performBark(id, barkId, 'first', newContext());
    });
    await expect(cancelBark(id, barkId, newContext())).rejects.toThrow(NotFound);
  });

  test('and performBark run concurrently, and exactly one of them succeeds', async () => {
    for (let round = 0; round < 30; round++) {
      const id = await dogWith('emailDog', 'record');
      const barkId = await accepted(id);
      const [cancel] = await Promise.allSettled([
        cancelBark(id, barkId, newContext()),
        performBark(id, barkId, 'first', newContext()),
      ]);
      const won = cancel.status === 'fulfilled';
      if (!won) expect(cancel.reason).toBeInstanceOf(TooLate);
      expect(await seen(id, barkId)).toEqual(won ? cancelled : complete);
      expect(sent()).toHaveLength(won ? 0 : 1);
    }
  });
});

describe('A process that dies', () => {
  const faults: Fault[] = ['fails before', 'response lost', 'response and token lost', 'hangs'];
  const casesOf = (operations: readonly string[]) =>
    operations.flatMap((operation) => faults.map((fault) => [operation, fault as string] as const));

  test.each(casesOf(['GetItem', 'TransactWriteItems', 'StopExecution']))(
    'in cancelBark leaves a bark that ends as cancelled or complete: %s %s',
    async (operation, fault) => {
      const id = await dogWith('emailDog', 'record');
      const barkId = await accepted(id);
      plan(operation, fault as Fault, 3);
      const first = await cancelBark(id, barkId, newContext(now, 400)).then(
        () => 'cancelled',
        () => 'unknown',
      );
      reset();
      await workflow(id, barkId);
      const end = await seen(id, barkId);
      expect(first === 'cancelled' ? [cancelled] : [cancelled, complete]).toContainEqual(end);
      expect(sent()).toHaveLength(end.status === 'complete' ? 1 : 0);
      const again = cancelBark(id, barkId, newContext());
      await (end.status === 'cancelled' ? again : expect(again).rejects.toThrow(TooLate));
    },
  );

  test.each(casesOf(['GetItem', 'TransactWriteItems']))(
    'in failBark leaves a bark that a second call fails: %s %s',
    async (operation, fault) => {
      const id = await dogWith('record');
      const barkId = await accepted(id);
      plan(operation, fault as Fault, 3);
      await failBark(id, barkId, newContext(now, 400)).catch(() => {});
      reset();
      await failBark(id, barkId, newContext());
      await performBark(id, barkId, 'late', newContext());
      expect(await seen(id, barkId)).toEqual({ ...failed, reason: 'The service failed.' });
      expect(logged).toHaveBeenCalledWith(expect.objectContaining({ event: 'BarkFailed', bark: barkId }));
    },
  );
});

describe('The deadline of an asynchronous bark', () => {
  test('makes a bark without an execution appear as failed, and no later run performs it', async () => {
    const id = await dogWith('emailDog', 'record');
    const barkId = await accepted(id);
    expect(await seen(id, barkId, now + 10 * minute)).toEqual(pending);
    expect(await seen(id, barkId, afterDeadline)).toEqual({
      ...failed,
      reason: 'The bark was not performed in time.',
    });
    await performBark(id, barkId, 'late', newContext(afterDeadline));
    expect(sent()).toHaveLength(0);
    expect(await seen(id, barkId, afterDeadline)).toEqual({
      ...failed,
      reason: 'The bark was not performed in time.',
    });
  });

  test('adds to the reason that the mail may have been sent if it was being handed to SES', async () => {
    const id = await dogWith('emailDog', 'record');
    const barkId = await accepted(id);
    plan('SendEmail', 'hangs after');
    await expect(performBark(id, barkId, 'first', newContext(now, 200))).rejects.toThrow(Unavailable);
    expect(await seen(id, barkId, afterDeadline)).toEqual({
      ...failed,
      reason: 'The bark was not performed in time. The mail may have been sent.',
    });
  });

  test('is met because no run begins in the last minute before it', async () => {
    const id = await dogWith('record');
    const barkId = await accepted(id);
    await performBark(id, barkId, 'late', newContext(now + 15 * minute));
    expect(await seen(id, barkId, now + 15 * minute)).toEqual(pending);
  });

  test('does not delay the failure of a bark that the workflow fails', async () => {
    const id = await dogWith('record');
    const barkId = await accepted(id);
    await failBark(id, barkId, newContext());
    await failBark(id, barkId, newContext());
    await failBark(id, 'a01KAK0XW00ABCDEFGHJKMNPQRS', newContext());
    expect(await seen(id, barkId)).toEqual({ ...failed, reason: 'The service failed.' });
  });
});

describe('The items of an asynchronous bark', () => {
  const week = 7 * 24 * 60 * minute;
  const later = now + week + 30 * minute;

  test.each([
    ['emailDog', true],
    ['count', true],
    ['record', false],
  ] as const)('expire after seven days with the effect %s: %p', async (effect, gone) => {
    const id = await dogWith(effect);
    const barkId = await accepted(id);
    await performBark(id, barkId, 'first', newContext());
    const bark: Promise<Bark> = readBark(id, barkId, newContext(later));
    await (gone
      ? expect(bark).rejects.toThrow(NotFound)
      : expect(bark).resolves.toMatchObject({ status: 'complete' }));
  });

  test('have one resource ID, so that the history entry is not a second resource', async () => {
    const id = await dogWith('record');
    const barkId = await accepted(id);
    await performBark(id, barkId, 'first', newContext());
    const { barks, next } = await listBarks(id, { limit: 1 }, newContext());
    expect(barks.map((one) => one.id)).toEqual([barkId]);
    const [ulid] = String(next).split('.');
    await expect(readBark(id, `s${ulid}`, newContext())).rejects.toThrow(NotFound);
  });

  test('do not show the dog as barking after the deadline, even if the pending marker is still there', async () => {
    const id = await dogWith('record');
    const barkId = await accepted(id);
    await database.send(
      new UpdateCommand({
        TableName: process.env.BARKS_TABLE,
        Key: { dog: id, sk: sortKey('asyncBark', barkId.slice(1)) },
        UpdateExpression: 'SET #status = :failed',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':failed': 'failed' },
      }),
    );
    expect((await readDogView(id, newContext())).barking).toBe(true);
    expect((await readDogView(id, newContext(afterDeadline))).barking).toBe(false);
  });
});
