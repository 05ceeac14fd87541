import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { listBarks, readDogView } from '../../../../lambdas/domain/barks/queries.ts';
import type { Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import { putDog } from '../../../../lambdas/domain/dogs/repository.ts';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import {
  MailNotSent,
  MailRefused,
  NotFound,
  Unavailable,
} from '../../../../lambdas/domain/platform/errors.ts';
import { useDatabase } from '../../../support/database.ts';
import { newDog } from '../../../support/dogs.ts';
import { calls, injectFaults, plan, reset, sent } from '../../../support/faults.ts';

useDatabase();
beforeAll(injectFaults);
beforeEach(reset);

const now = Date.UTC(2026, 10, 21, 12, 0, 0);

function newContext(milliseconds = 8_000) {
  return { now, signal: AbortSignal.timeout(milliseconds) };
}

async function dogWith(...barkEffects: Effect[]): Promise<string> {
  const id = await newDog('sync', barkEffects);
  reset();
  return id;
}

/** Returns the numbers of barks of a dog that are counted, in its history, and recorded. */
async function stored(id: string): Promise<{ count: number; inHistory: number; recorded: number }> {
  const { dog, previous } = await readDogView(id, newContext());
  const { barks } = await listBarks(id, { limit: 100 }, newContext());
  return { count: dog.barkCount, inHistory: previous.length, recorded: barks.length };
}

const nothing = { count: 0, inHistory: 0, recorded: 0 };
const once = { count: 1, inHistory: 1, recorded: 1 };

describe('Count and record: exactly once for each accepted bark', () => {
  test('a bark that is recorded is counted and recorded once, in one transaction', async () => {
    const id = await dogWith('record');
    await createBark(id, {}, newContext());
    expect(calls()).toEqual(['GetItem', 'TransactWriteItems']);
    expect(await stored(id)).toEqual(once);
  });

  test('two identical barks are two', async () => {
    const id = await dogWith('record');
    await createBark(id, {}, newContext());
    await createBark(id, {}, newContext());
    expect(await stored(id)).toEqual({ count: 2, inHistory: 2, recorded: 2 });
  });

  test('a transaction whose answer is lost is repeated with its token, and counts once', async () => {
    const id = await dogWith('record');
    plan('TransactWriteItems', 'response lost');
    await createBark(id, {}, newContext());
    expect(calls().filter((name) => name === 'TransactWriteItems')).toHaveLength(2);
    expect(await stored(id)).toEqual(once);
  });

  test('a transaction of which the database has forgotten the token counts once all the same', async () => {
    const id = await dogWith('record');
    plan('TransactWriteItems', 'response and token lost');
    expect(await createBark(id, {}, newContext())).toMatchObject({ kind: 'recorded' });
    expect(await stored(id)).toEqual(once);
  });

  test('a transaction that loses against another is repeated until it wins', async () => {
    const id = await dogWith('record');
    plan('TransactWriteItems', 'conflict', 5);
    await createBark(id, {}, newContext());
    expect(await stored(id)).toEqual(once);
  });

  test('parallel barks are all counted', async () => {
    const id = await dogWith('record');
    await Promise.all(Array.from({ length: 50 }, () => createBark(id, {}, newContext())));
    expect(await stored(id)).toEqual({ count: 50, inHistory: 50, recorded: 50 });
  });

  test('a bark that is only counted has a history entry and is not recorded', async () => {
    const id = await dogWith('count');
    expect(await createBark(id, {}, newContext())).toMatchObject({ kind: 'counted' });
    expect(await stored(id)).toEqual({ count: 1, inHistory: 1, recorded: 0 });
  });
});

describe('Mail: handed over at most once per bark', () => {
  test.each(['fails before', 'response lost', 'throttled'] as const)(
    'the SDK does not repeat a mail that %s',
    async (fault) => {
      const id = await dogWith('emailDog', 'record');
      plan('SendEmail', fault);
      await expect(createBark(id, {}, newContext())).rejects.toThrow(Unavailable);
      expect(calls().filter((name) => name === 'SendEmail')).toHaveLength(1);
    },
  );

  test('the transaction is repeated without the mail', async () => {
    const id = await dogWith('emailDog', 'record');
    plan('TransactWriteItems', 'conflict', 3);
    await createBark(id, {}, newContext());
    expect(sent()).toHaveLength(1);
  });

  test('dog and owner get one mail together', async () => {
    const id = await dogWith('emailDog', 'emailOwner');
    await createBark(id, { message: 'Hello' }, newContext());
    expect(sent()).toEqual([
      {
        to: ['dog@example.com', 'owner@example.com'],
        subject: `${id} barked`,
        text: `Hello\n\n-- \nThe dog ${id} barked at 2026-11-21T12:00:00.000Z.\n`,
      },
    ]);
  });
});

describe('2xx/3xx on a synchronous bark: SES took the mail and everything is stored', () => {
  test('a bark with all effects mails, then stores', async () => {
    const id = await dogWith('emailDog', 'record');
    expect(await createBark(id, {}, newContext())).toMatchObject({
      kind: 'recorded',
      bark: { dog: id, status: 'complete' },
    });
    expect(calls()).toEqual(['GetItem', 'SendEmail', 'TransactWriteItems']);
    expect(sent()).toHaveLength(1);
    expect(await stored(id)).toEqual(once);
  });

  test('a bark that only mails stores nothing', async () => {
    const id = await dogWith('emailDog');
    expect(await createBark(id, {}, newContext())).toMatchObject({ kind: 'sent' });
    expect(sent()).toHaveLength(1);
    expect(await stored(id)).toEqual(nothing);
  });
});

describe('4xx: nothing happened', () => {
  test('an unknown dog neither mails nor stores', async () => {
    await expect(createBark('nobody', {}, newContext())).rejects.toThrow(NotFound);
    expect(calls()).toEqual(['GetItem']);
  });

  test('except that a dog which is deleted while its mail goes out is not found, and nothing is stored', async () => {
    const id = await dogWith('emailDog', 'record');
    const remove = new DeleteCommand({ TableName: process.env.DOGS_TABLE, Key: { id } });
    plan('SendEmail', () => database.send(remove));
    await expect(createBark(id, {}, newContext())).rejects.toThrow(NotFound);
    expect(sent()).toHaveLength(1);
    await dogAgain(id);
    expect(await stored(id)).toEqual(nothing);
  });

  test('a dog that is deleted and made again while the mail of the former one goes out does not bark for it', async () => {
    const id = await dogWith('emailDog', 'record');
    const remove = new DeleteCommand({ TableName: process.env.DOGS_TABLE, Key: { id } });
    plan('SendEmail', async () => {
      await database.send(remove);
      await dogAgain(id);
    });
    await expect(createBark(id, {}, newContext())).rejects.toThrow(NotFound);
    expect(await stored(id)).toEqual(nothing);
  });
});

async function dogAgain(id: string): Promise<void> {
  const settings = {
    email: undefined,
    owner: undefined,
    barkEffects: ['record' as const],
    barkHandling: 'sync' as const,
  };
  await putDog(id, settings, {}, newContext());
}

describe('5xx or no answer: nothing is half-counted', () => {
  test.each([
    ['GetItem', 'fails before', nothing],
    ['GetItem', 'response lost', nothing],
    ['GetItem', 'throttled', nothing],
    ['SendEmail', 'fails before', nothing],
    ['SendEmail', 'response lost', nothing],
    ['SendEmail', 'throttled', nothing],
    ['TransactWriteItems', 'fails before', nothing],
    ['TransactWriteItems', 'response lost', once],
    ['TransactWriteItems', 'throttled', nothing],
    ['TransactWriteItems', 'conflict', nothing],
  ] as const)(
    '%s that always %s is 503, and the bark is whole or not at all',
    async (operation, fault, left) => {
      const id = await dogWith('emailDog', 'record');
      plan(operation, fault, 1_000);
      await expect(createBark(id, {}, newContext(600))).rejects.toThrow(Unavailable);
      reset();
      expect(await stored(id)).toEqual(left);
    },
  );
});

describe('A mail that fails: nothing is counted or recorded', () => {
  test('refused is told apart', async () => {
    const id = await dogWith('emailDog', 'record');
    plan('SendEmail', 'refused');
    await expect(createBark(id, {}, newContext())).rejects.toThrow(MailRefused);
    expect(calls()).toEqual(['GetItem', 'SendEmail']);
    expect(await stored(id)).toEqual(nothing);
  });

  test('for lack of a connection is known not to be sent', async () => {
    const id = await dogWith('emailDog', 'record');
    plan('SendEmail', 'no connection', 3);
    await expect(createBark(id, {}, newContext())).rejects.toThrow(MailNotSent);
    expect(calls()).toEqual(['GetItem', 'SendEmail', 'SendEmail', 'SendEmail']);
    expect(await stored(id)).toEqual(nothing);
  });
});

describe('If the process dies', () => {
  test.each([
    ['before the mail', 'SendEmail', 0],
    ['between mail and transaction', 'TransactWriteItems', 1],
  ] as const)('%s, nothing is counted or recorded', async (_, operation, mails) => {
    const id = await dogWith('emailDog', 'record');
    plan(operation, 'hangs');
    await expect(createBark(id, {}, newContext(100))).rejects.toThrow(Unavailable);
    expect(sent()).toHaveLength(mails);
    expect(await stored(id)).toEqual(nothing);
  });
});
