import {
  ConditionalCheckFailedException,
  PutItemCommand,
  type PutItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { BarkOutcome, BarkRequest, IdempotencyKey } from '../../../../lambdas/domain/barks/bark.ts';
import { queryItems } from '../../../../lambdas/domain/barks/barks-table.ts';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import type { DogSettings, Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import { keyRange, sortKey } from '../../../../lambdas/domain/dogs/keys.ts';
import { putDog } from '../../../../lambdas/domain/dogs/put.ts';
import { readDog } from '../../../../lambdas/domain/dogs/read.ts';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import {
  KeyReused,
  MailNotSent,
  MailRefused,
  MailUnknown,
  NotFound,
  NotYet,
  Unavailable,
} from '../../../../lambdas/domain/platform/errors.ts';
import { purgeDog } from '../../../../lambdas/domain/removal/purge.ts';
import { barkNumbers, noBark, recordedBark } from '../../../support/barks.ts';
import { at, newContext } from '../../../support/context.ts';
import { newDog, newDogId, replaceSettings, settingsOf } from '../../../support/dogs.ts';
import { calls, Process, plan, reset, sent, useFunctions } from '../../../support/faults.ts';
import { useLogs } from '../../../support/logs.ts';

useFunctions();
const logs = useLogs();

/** In seconds. */
const lease = 60;
const day = 24 * 60 * 60;

const key: IdempotencyKey = { user: 'dog-lover', resource: 'barks', value: 'one' };

/** Sends a client's request. All calls send the same request, unless the caller changes a field. */
function send(
  dog: string,
  { after, milliseconds, ...request }: Partial<BarkRequest> & { after?: number; milliseconds?: number } = {},
): Promise<BarkOutcome> {
  return createBark(dog, { message: 'Hello', key, ...request }, newContext({ after, milliseconds }));
}

type Kind = readonly [DogSettings['barkHandling'], ...Effect[]];

async function dogOf(...[handling, ...effects]: Kind): Promise<string> {
  const dog = await newDog(handling, effects);
  reset();
  return dog;
}

/** Creates a dog whose barks are recorded and send mail. */
const mailingDog = () => dogOf('sync', 'emailDog', 'record');

/** Sends a request in a process that dies at a call. */
async function sendAndDieAt(dog: string, operation: string, fault: 'dies' | 'dies after' = 'dies') {
  const process = new Process();
  process.plan(operation, fault);
  await process.run(() => send(dog));
  expect(process.dead).toBe(true);
  return process;
}

/** Returns the numbers of a dog's barks that are counted, in the history, recorded and accepted. */
async function stored(dog: string) {
  const accepted = queryItems({ dog, ...keyRange('asyncBark'), limit: 100 }, newContext());
  return { ...(await barkNumbers(dog)), accepted: (await accepted).items.length };
}

const nothing = { ...noBark, accepted: 0 };
const recorded = { ...recordedBark, accepted: 0 };

interface Case {
  readonly kind: Kind;
  readonly numbers: object;
}

/** A case for each way in which the service handles a key. */
const ways: readonly Case[] = [
  { kind: ['sync', 'record'], numbers: recorded },
  { kind: ['sync', 'emailDog', 'record'], numbers: recorded },
  { kind: ['async', 'emailDog', 'record'], numbers: { ...noBark, accepted: 1 } },
];

// The faults in test/faults occur at every call. These examples explain the protocol of a key.
describe('A request whose first outcome is stored', () => {
  test('returns it to a repeat even if the dog has changed in the meantime', async () => {
    const dog = await mailingDog();
    const outcome = await send(dog);
    for (const barkHandling of ['sync', 'async'] as const) {
      await replaceSettings(dog, { ...settingsOf('count'), barkHandling });
      expect(await send(dog)).toEqual(outcome);
    }
    expect(await stored(dog)).toEqual(recorded);
  });

  test('returns it to a repeat even if its claim reaches DynamoDB again after everything is written', async () => {
    const dog = await mailingDog();
    let claim: PutItemCommandInput | undefined;
    plan('PutItem', async ({ body }) => {
      claim = JSON.parse(new TextDecoder().decode(body as Uint8Array));
    });
    const outcome = await send(dog);
    const again = new PutItemCommand(claim as PutItemCommandInput);
    await expect(database.send(again)).rejects.toThrow(ConditionalCheckFailedException);
    expect(await send(dog, { after: lease })).toEqual(outcome);
    expect(await stored(dog)).toEqual(recorded);
  });
});

describe('A request whose mail may have been sent', () => {
  async function expectNoMailForRepeats(dog: string, { first = 0 } = {}) {
    const mails = sent().length;
    for (const after of [first, lease, 2 * lease, day - 1])
      await expect(send(dog, { after })).rejects.toThrow(MailUnknown);
    expect(sent()).toHaveLength(mails);
    expect(await stored(dog)).toEqual(nothing);
  }

  test.each(['dies', 'dies after'] as const)(
    'makes each repeat throw MailUnknown after the lease, if its process %s at the mail',
    async (fault) => {
      const dog = await mailingDog();
      await sendAndDieAt(dog, 'SendRawEmail', fault);
      await expect(send(dog, { after: lease - 1 })).rejects.toThrow(NotYet);
      await expectNoMailForRepeats(dog, { first: lease });
    },
  );

  test('makes a repeat throw MailUnknown even if the dog barks in another way by now', async () => {
    const dog = await mailingDog();
    await sendAndDieAt(dog, 'TransactWriteItems');
    for (const barkHandling of ['sync', 'async'] as const) {
      await replaceSettings(dog, { ...settingsOf('count'), barkHandling });
      await expectNoMailForRepeats(dog, { first: lease });
    }
  });

  test('throws MailUnknown and stores nothing if a repeat has found its lease over', async () => {
    const dog = await mailingDog();
    plan('TransactWriteItems', async () => {
      await expect(send(dog, { after: lease - 1 })).rejects.toThrow(NotYet);
      await expect(send(dog, { after: lease })).rejects.toThrow(MailUnknown);
    });
    await expect(send(dog)).rejects.toThrow(MailUnknown);
    await expectNoMailForRepeats(dog);
    expect(sent()).toHaveLength(1);
  });

  test('makes a repeat return its outcome if it is completed while the repeat finds its lease over', async () => {
    const dog = await mailingDog();
    const [repeats, completed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let repeat: Promise<BarkOutcome> | undefined;
    plan('SendRawEmail', async () => {
      plan('PutItem', async () => {});
      plan('PutItem', () => {
        repeats.resolve();
        return completed.promise;
      });
      repeat = send(dog, { after: lease });
      await repeats.promise;
    });
    const outcome = await send(dog);
    completed.resolve();
    expect(await repeat).toEqual(outcome);
    expect(await stored(dog)).toEqual(recorded);
    expect(sent()).toHaveLength(1);
  });

  test.each([0, at + lease])(
    'of release 1.0.0, whose claim ends at %p, makes a repeat throw MailUnknown',
    async (claimEnds) => {
      const dog = await mailingDog();
      await sendAndDieAt(dog, 'SendRawEmail');
      const [record] = await recordsOf(dog);
      const { dog: _, sk, incarnation, payloadHash, claim, expires } = record ?? {};
      const Item = { dog, sk, incarnation, payloadHash, claim, claimEnds, expires };
      await database.send(new PutCommand({ TableName: process.env.BARKS_TABLE, Item }));
      await expectNoMailForRepeats(dog, { first: lease });
    },
  );
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
    expect(await recordsOf(dog)).toEqual([]);
    expect((await send(dog, { message: 'Another' })).kind).toBe('recorded');
  });

  test.each(['fails before', 'hangs'] as const)(
    'makes repeats throw MailUnknown after the lease if the deletion of its claim fails: %s',
    async (fault) => {
      const dog = await mailingDog();
      plan('SendRawEmail', 'refused');
      plan('DeleteItem', fault, 1_000);
      await expect(send(dog, { milliseconds: 250 })).rejects.toThrow(MailRefused);
      expect(logs.warn).toHaveLength(1);
      reset();
      await expect(send(dog, { after: lease - 1 })).rejects.toThrow(NotYet);
      await expect(send(dog, { after: lease })).rejects.toThrow(MailUnknown);
      expect(sent()).toEqual([]);
    },
  );

  test('makes a repeat that finds its lease over throw NotYet if yet another run has claimed the request', async () => {
    const dog = await mailingDog();
    const [repeats, mailing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let repeat: Promise<unknown> | undefined;
    plan('SendRawEmail', 'throttled');
    plan('DeleteItem', async () => {
      plan('PutItem', async () => {});
      plan('PutItem', () => {
        repeats.resolve();
        return mailing.promise;
      });
      repeat = send(dog, { after: lease }).catch((error) => error);
      await repeats.promise;
    });
    await expect(send(dog)).rejects.toThrow(MailNotSent);
    plan('SendRawEmail', async () => {
      mailing.resolve();
      expect(await repeat).toBeInstanceOf(NotYet);
    });
    expect((await send(dog, { after: 1 })).kind).toBe('recorded');
    expect(sent()).toHaveLength(1);
  });

  test('does not delete its claim if a repeat has ended the claim', async () => {
    const dog = await mailingDog();
    plan('SendRawEmail', 'refused');
    plan('DeleteItem', () => expect(send(dog, { after: lease })).rejects.toThrow(MailUnknown));
    await expect(send(dog)).rejects.toThrow(MailRefused);
    await expect(send(dog)).rejects.toThrow(MailUnknown);
    expect(logs.warn).toEqual([]);
  });

  test('leaves no record of its key if the dog is deleted and purged in the meantime', async () => {
    const dog = await mailingDog();
    const { incarnation } = await readDog(dog, newContext());
    plan('SendRawEmail', async () => {
      await deleteDog(dog, {}, newContext());
      await purgeDog({ id: dog, incarnation }, newContext());
    });
    await expect(send(dog)).rejects.toThrow(NotFound);
    expect(await recordsOf(dog)).toEqual([]);
  });

  test('throws NotYet with a growing waiting time to repeats until the lease ends', async () => {
    const dog = await mailingDog();
    await sendAndDieAt(dog, 'SendRawEmail');
    const waits: number[] = [];
    for (const after of [0, 1, 10, 35, 59]) {
      const refusal = await send(dog, { after }).catch((error) => error);
      expect(refusal).toBeInstanceOf(NotYet);
      waits.push(refusal.retryAfterSeconds);
    }
    expect(waits).toEqual([1, 1, 10, 25, 1]);
  });

  test('does not use up its key if the dog does not exist', async () => {
    const dog = newDogId();
    await expect(send(dog)).rejects.toThrow(NotFound);
    await replaceSettings(dog);
    expect((await send(dog, { message: 'Another' })).kind).toBe('recorded');
  });
});

describe('A different request with the same key throws KeyReused and has no effect:', () => {
  test.each(
    ways.flatMap((one) =>
      [{ message: 'Woof' }, { message: undefined }, { isAsync: true }].map((other) => ({ ...one, other })),
    ),
  )('$kind, then $other', async ({ kind, numbers, other }) => {
    const dog = await dogOf(...kind);
    const outcome = await send(dog);
    reset();
    await expect(send(dog, other)).rejects.toThrow(KeyReused);
    expect(sent()).toEqual([]);
    expect(await stored(dog)).toEqual(numbers);
    expect(await send(dog)).toEqual(outcome);
  });

  test('while the first request is in progress, and after its lease', async () => {
    const dog = await mailingDog();
    await sendAndDieAt(dog, 'TransactWriteItems');
    for (const after of [1, lease])
      await expect(send(dog, { message: 'Woof', after })).rejects.toThrow(KeyReused);
    expect(sent()).toEqual([]);
  });
});

describe('An Idempotency-Key', () => {
  test.each(ways)(
    'is valid for a day, even if DynamoDB has not deleted its record yet: $kind',
    async ({ kind }) => {
      const dog = await dogOf(...kind);
      const first = await send(dog);
      const next = await send(dog, { message: 'Another', after: day });
      expect([next.kind, next]).toEqual([first.kind, expect.not.objectContaining(first)]);
      expect(await send(dog, { message: 'Another', after: day })).toEqual(next);
      await expect(send(dog, { after: day })).rejects.toThrow(KeyReused);
    },
  );

  test.each([
    ['user', { user: 'cat-lover' }],
    ['resource', { resource: 'bark' }],
    ['spelling, with capital letters,', { value: 'One' }],
  ] as const)('of another %s is another key', async (_, other) => {
    const dog = await dogOf('sync', 'record');
    await send(dog);
    await send(dog, { key: { ...key, ...other }, message: 'Another' });
    expect(await stored(dog)).toMatchObject({ count: 2, recorded: 2 });
  });

  test('belongs to one incarnation of the dog, so that a new dog with the same ID barks once for it', async () => {
    const dog = await mailingDog();
    const { settings } = await readDog(dog, newContext());
    let ofTheNewDog: BarkOutcome | undefined;
    plan('PutItem', async () => {
      await deleteDog(dog, {}, newContext());
      await putDog(dog, settings, {}, newContext({ after: 1 }));
      ofTheNewDog = await send(dog);
    });
    await expect(send(dog)).rejects.toThrow(NotFound);
    expect(await send(dog)).toEqual(ofTheNewDog);
    expect(await stored(dog)).toEqual(recorded);
  });
});

/** Returns the idempotency records of a dog. */
async function recordsOf(dog: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await database.send(
    new ScanCommand({
      TableName: process.env.BARKS_TABLE,
      FilterExpression: 'dog = :dog AND begins_with(sk, :k)',
      ExpressionAttributeValues: { ':dog': dog, ':k': sortKey('idempotencyRecord', '') },
      ConsistentRead: true,
    }),
  );
  return Items;
}

describe('An idempotency record', () => {
  test.each(ways)(
    'is small, contains nothing that the client sent, and expires after a day: $kind',
    async ({ kind }) => {
      const dog = await dogOf(...kind);
      await send(dog, { message: 'A secret', key: { ...key, value: 'sesame' } });
      const records = await recordsOf(dog);
      expect(records).toMatchObject([{ expires: at + day, incarnation: expect.any(String) }]);
      const text = JSON.stringify(records);
      expect(text.length).toBeLessThan(500);
      expect(text).not.toMatch(/secret|sesame|dog-lover/);
    },
  );

  test('has a different payload hash for each key, even if the requests are the same', async () => {
    const dog = await dogOf('sync', 'count');
    for (const value of ['one', 'two']) await send(dog, { key: { ...key, value } });
    const hashes = (await recordsOf(dog)).map(({ payloadHash }) => payloadHash);
    expect(new Set(hashes).size).toBe(2);
  });
});
