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

/** Returns the numbers of a dog's barks that are counted, that are in the history, and that are recorded. */
async function stored(id: string): Promise<{ count: number; inHistory: number; recorded: number }> {
  const { dog, previous } = await readDogView(id, newContext());
  const { barks } = await listBarks(id, { limit: 100 }, newContext());
  return { count: dog.barkCount, inHistory: previous.length, recorded: barks.length };
}

const nothing = { count: 0, inHistory: 0, recorded: 0 };
const once = { count: 1, inHistory: 1, recorded: 1 };

describe('createBark counts and records each accepted bark exactly once:', () => {
  test('a recorded bark is counted and recorded in one transaction', async () => {
    const id = await dogWith('record');
    await createBark(id, {}, newContext());
    expect(calls()).toEqual(['GetItem', 'TransactWriteItems']);
    expect(await stored(id)).toEqual(once);
  });

  test('two identical requests are two barks', async () => {
    const id = await dogWith('record');
    await createBark(id, {}, newContext());
    await createBark(id, {}, newContext());
    expect(await stored(id)).toEqual({ count: 2, inHistory: 2, recorded: 2 });
  });

  test('a transaction is repeated with its token if its response is lost, and counts the bark once', async () => {
    const id = await dogWith('record');
    plan('TransactWriteItems', 'response lost');
    await createBark(id, {}, newContext());
    expect(calls().filter((name) => name === 'TransactWriteItems')).toHaveLength(2);
    expect(await stored(id)).toEqual(once);
  });

  test('a repeated transaction counts the bark once even if DynamoDB has forgotten the token', async () => {
    const id = await dogWith('record');
    plan('TransactWriteItems', 'response and token lost');
    expect(await createBark(id, {}, newContext())).toMatchObject({ kind: 'recorded' });
    expect(await stored(id)).toEqual(once);
  });

  test('a transaction is repeated after each conflict with another transaction', async () => {
    const id = await dogWith('record');
    plan('TransactWriteItems', 'conflict', 5);
    await createBark(id, {}, newContext());
    expect(await stored(id)).toEqual(once);
  });

  test('50 concurrent barks are 50 counted barks', async () => {
    const id = await dogWith('record');
    await Promise.all(Array.from({ length: 50 }, () => createBark(id, {}, newContext())));
    expect(await stored(id)).toEqual({ count: 50, inHistory: 50, recorded: 50 });
  });

  test('a bark that is counted but not recorded has a history entry', async () => {
    const id = await dogWith('count');
    expect(await createBark(id, {}, newContext())).toMatchObject({ kind: 'counted' });
    expect(await stored(id)).toEqual({ count: 1, inHistory: 1, recorded: 0 });
  });
});

describe('createBark hands the mail of a bark to SES at most once:', () => {
  test.each(['fails before', 'response lost', 'throttled'] as const)(
    'the SDK does not send a mail again: %s',
    async (fault) => {
      const id = await dogWith('emailDog', 'record');
      plan('SendEmail', fault);
      await expect(createBark(id, {}, newContext())).rejects.toThrow(Unavailable);
      expect(calls().filter((name) => name === 'SendEmail')).toHaveLength(1);
    },
  );

  test('a repeated transaction does not send the mail again', async () => {
    const id = await dogWith('emailDog', 'record');
    plan('TransactWriteItems', 'conflict', 3);
    await createBark(id, {}, newContext());
    expect(sent()).toHaveLength(1);
  });

  test('the dog and its owner are recipients of one mail', async () => {
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

describe('When createBark succeeds, SES has accepted the mail and everything is stored:', () => {
  test('a bark with all effects sends the mail, then writes the items', async () => {
    const id = await dogWith('emailDog', 'record');
    expect(await createBark(id, {}, newContext())).toMatchObject({
      kind: 'recorded',
      bark: { dog: id, status: 'complete' },
    });
    expect(calls()).toEqual(['GetItem', 'SendEmail', 'TransactWriteItems']);
    expect(sent()).toHaveLength(1);
    expect(await stored(id)).toEqual(once);
  });

  test('a bark that only sends mail writes nothing', async () => {
    const id = await dogWith('emailDog');
    expect(await createBark(id, {}, newContext())).toMatchObject({ kind: 'sent' });
    expect(sent()).toHaveLength(1);
    expect(await stored(id)).toEqual(nothing);
  });
});

describe('createBark throws NotFound and stores nothing', () => {
  test('for an unknown dog, without mail', async () => {
    await expect(createBark('unknown', {}, newContext())).rejects.toThrow(NotFound);
    expect(calls()).toEqual(['GetItem']);
  });

  test('if the dog is deleted while the mail is being sent', async () => {
    const id = await dogWith('emailDog', 'record');
    const remove = new DeleteCommand({ TableName: process.env.DOGS_TABLE, Key: { id } });
    plan('SendEmail', () => database.send(remove));
    await expect(createBark(id, {}, newContext())).rejects.toThrow(NotFound);
    expect(sent()).toHaveLength(1);
    await dogAgain(id);
    expect(await stored(id)).toEqual(nothing);
  });

  test('if the dog is deleted and created again while the mail is being sent', async () => {
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

describe('createBark stores the whole bark or nothing, and throws Unavailable,', () => {
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
  ] as const)('if a call fails at each try: %s %s', async (operation, fault, expected) => {
    const id = await dogWith('emailDog', 'record');
    plan(operation, fault, 1_000);
    await expect(createBark(id, {}, newContext(600))).rejects.toThrow(Unavailable);
    reset();
    expect(await stored(id)).toEqual(expected);
  });
});

describe('createBark does not count or record a bark', () => {
  test('if SES refuses the mail, and throws MailRefused', async () => {
    const id = await dogWith('emailDog', 'record');
    plan('SendEmail', 'refused');
    await expect(createBark(id, {}, newContext())).rejects.toThrow(MailRefused);
    expect(calls()).toEqual(['GetItem', 'SendEmail']);
    expect(await stored(id)).toEqual(nothing);
  });

  test('if SES refuses three connections, and throws MailNotSent', async () => {
    const id = await dogWith('emailDog', 'record');
    plan('SendEmail', 'no connection', 3);
    await expect(createBark(id, {}, newContext())).rejects.toThrow(MailNotSent);
    expect(calls()).toEqual(['GetItem', 'SendEmail', 'SendEmail', 'SendEmail']);
    expect(await stored(id)).toEqual(nothing);
  });
});

describe('createBark counts and records nothing if its process dies', () => {
  test.each([
    ['before the mail', 'SendEmail', 0],
    ['between the mail and the transaction', 'TransactWriteItems', 1],
  ] as const)('%s', async (_, operation, mails) => {
    const id = await dogWith('emailDog', 'record');
    plan(operation, 'hangs');
    await expect(createBark(id, {}, newContext(100))).rejects.toThrow(Unavailable);
    expect(sent()).toHaveLength(mails);
    expect(await stored(id)).toEqual(nothing);
  });
});
