import {
  ConditionalCheckFailedException,
  PutItemCommand,
  type PutItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { cancelBark } from '../../../../lambdas/domain/barks/async/cancel.ts';
import { performBark } from '../../../../lambdas/domain/barks/async/perform.ts';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { keyRange, sortKey } from '../../../../lambdas/domain/barks/keys.ts';
import { listBarks, readBark, readDogView } from '../../../../lambdas/domain/barks/queries.ts';
import { queryItems } from '../../../../lambdas/domain/barks/repository.ts';
import type { BarkOutcome, BarkRequest, IdempotencyKey } from '../../../../lambdas/domain/barks/request.ts';
import type { DogSettings, Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import { purgeDog } from '../../../../lambdas/domain/dogs/purge.ts';
import { deleteDog, putDog, readDog } from '../../../../lambdas/domain/dogs/repository.ts';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import {
  KeyReused,
  MailRefused,
  NotFound,
  NotYet,
  Unavailable,
} from '../../../../lambdas/domain/platform/errors.ts';
import { useDatabase } from '../../../support/database.ts';
import { newDog } from '../../../support/dogs.ts';
import { calls, type Fault, injectFaults, Process, plan, reset, sent } from '../../../support/faults.ts';

useDatabase();
beforeAll(injectFaults);
beforeEach(reset);
jest.spyOn(console, 'warn').mockImplementation(() => {});

const now = Date.UTC(2026, 10, 21, 12);
const second = 1_000;
const lease = 60 * second;
const day = 24 * 60 * 60 * second;

function newContext({ after = 0, milliseconds = 8_000 } = {}) {
  return { now: now + after, signal: AbortSignal.timeout(milliseconds) };
}

const key: IdempotencyKey = { user: 'dog-lover', resource: 'barks', value: 'one' };

/** Sends a client's request. All calls send the same request, unless the caller changes a field. */
function send(
  id: string,
  { after, milliseconds, ...request }: Partial<BarkRequest> & { after?: number; milliseconds?: number } = {},
): Promise<BarkOutcome> {
  return createBark(id, { message: 'Hello', key, ...request }, newContext({ ...{ after, milliseconds } }));
}

/** Repeats the request. If the first one seems to be in progress, repeats it again after the end of the lease. */
function sendAgain(id: string): Promise<BarkOutcome> {
  return send(id, { after: second }).catch((error) => {
    if (!(error instanceof NotYet)) throw error;
    return send(id, { after: lease });
  });
}

type Kind = readonly [DogSettings['barkHandling'], ...Effect[]];

async function dogOf([handling, ...effects]: Kind): Promise<string> {
  const id = await newDog(handling, effects);
  reset();
  return id;
}

/** Returns the numbers of a dog's barks that are counted, that are in the history, that are recorded, and that are accepted. */
async function stored(id: string) {
  const [{ dog, previous }, { barks }, { items }] = await Promise.all([
    readDogView(id, newContext()),
    listBarks(id, { limit: 100 }, newContext()),
    queryItems({ dog: id, ...keyRange('asyncBark'), limit: 100 }, newContext()),
  ]);
  return {
    count: dog.barkCount,
    inHistory: previous.length,
    recorded: barks.length,
    accepted: items.length,
  };
}

const nothing = { count: 0, inHistory: 0, recorded: 0, accepted: 0 };
const counted = { ...nothing, count: 1, inHistory: 1 };
const recorded = { ...counted, recorded: 1 };
const accepted = { ...nothing, accepted: 1 };

interface Case {
  readonly kind: Kind;
  readonly outcome: BarkOutcome['kind'];
  /** The AWS calls of the first request, and those of a repeat. */
  readonly first: readonly string[];
  readonly repeat: readonly string[];
  readonly expectedCounts: object;
}

const withoutMail = { first: ['GetItem', 'TransactWriteItems'], repeat: ['GetItem', 'TransactWriteItems'] };
const withMail = {
  first: ['GetItem', 'PutItem', 'SendEmail', 'TransactWriteItems'],
  repeat: ['GetItem', 'PutItem'],
};
const asynchronous = {
  first: ['GetItem', 'StartExecution', 'TransactWriteItems'],
  // A repeat stops the second execution, because the bark already has one.
  repeat: ['GetItem', 'StartExecution', 'TransactWriteItems', 'StopExecution'],
};
const cases: readonly Case[] = [
  { kind: ['sync', 'record'], outcome: 'recorded', ...withoutMail, expectedCounts: recorded },
  { kind: ['sync', 'count'], outcome: 'counted', ...withoutMail, expectedCounts: counted },
  { kind: ['sync', 'emailDog'], outcome: 'sent', ...withMail, expectedCounts: nothing },
  { kind: ['sync', 'emailDog', 'count'], outcome: 'counted', ...withMail, expectedCounts: counted },
  {
    kind: ['sync', 'emailDog', 'emailOwner', 'record'],
    outcome: 'recorded',
    ...withMail,
    expectedCounts: recorded,
  },
  { kind: ['async', 'record'], outcome: 'accepted', ...asynchronous, expectedCounts: accepted },
  { kind: ['async', 'emailDog', 'record'], outcome: 'accepted', ...asynchronous, expectedCounts: accepted },
];

const isMailed = ({ first }: Case) => first.includes('SendEmail');

describe('A repeated request with its Idempotency-Key returns the first outcome and has no other effect:', () => {
  test.each(cases)('$kind is $outcome', async (one) => {
    const id = await dogOf(one.kind);
    const outcome = await send(id);
    expect(outcome.kind).toBe(one.outcome);
    expect(calls()).toEqual(one.first);
    expect(await stored(id)).toEqual(one.expectedCounts);
    for (const after of [0, second, lease, day - second]) {
      reset();
      expect(await send(id, { after })).toEqual(outcome);
      expect(calls()).toEqual(one.repeat);
      expect(sent()).toEqual([]);
    }
    expect(await stored(id)).toEqual(one.expectedCounts);
  });

  test('a bark that only sends mail has one history entry if the request asks for it', async () => {
    const id = await dogOf(['sync', 'emailDog']);
    const outcome = await send(id, { inHistory: true });
    expect(await send(id, { inHistory: true, after: second })).toEqual(outcome);
    expect(await stored(id)).toEqual({ ...nothing, inHistory: 1 });
    expect(sent()).toHaveLength(1);
  });

  test('readBark returns the recorded bark of the first outcome', async () => {
    const id = await dogOf(['sync', 'record']);
    const outcome = await send(id);
    const bark = outcome.kind === 'recorded' ? outcome.bark : undefined;
    expect(await readBark(id, bark?.id ?? '', newContext())).toEqual(bark);
  });

  test('an accepted bark is performed once, and a cancelled bark stays cancelled', async () => {
    const [barking, silent] = [await dogOf(['async', 'record']), await dogOf(['async', 'record'])];
    const ids: string[] = [];
    for (const id of [barking, silent]) {
      const [first, second] = [await send(id), await send(id)] as (BarkOutcome & { kind: 'accepted' })[];
      expect(second).toEqual(first);
      ids.push(first?.bark.id ?? '');
    }
    const [barkId = '', cancelledId = ''] = ids;
    for (const run of ['first', 'second']) await performBark(barking, barkId, run, newContext());
    expect(await stored(barking)).toEqual({ ...recorded, accepted: 1 });
    await cancelBark(silent, cancelledId, newContext());
    await send(silent);
    await performBark(silent, cancelledId, 'run', newContext());
    expect(await stored(silent)).toEqual(accepted);
  });

  test('even if the dog has changed in the meantime', async () => {
    const id = await dogOf(['sync', 'emailDog', 'record']);
    const outcome = await send(id);
    const settings = { email: undefined, owner: undefined, barkEffects: ['count' as const] };
    await putDog(id, { ...settings, barkHandling: 'sync' }, {}, newContext());
    expect(await send(id)).toEqual(outcome);
    await putDog(id, { ...settings, barkHandling: 'async' }, {}, newContext());
    expect(await send(id)).toEqual(outcome);
    expect(await stored(id)).toEqual(recorded);
  });
});

/** The faults of a call, and whether the call takes effect. Because the SDK retries, the tests inject a fault into all attempts. */
const faults: readonly [Fault, took: boolean][] = [
  ['fails before', false],
  ['throttled', false],
  ['hangs', false],
  ['response lost', true],
  ['hangs after', true],
];

const failures = cases.flatMap((one) =>
  one.first.flatMap((operation) => faults.map(([fault, took]) => ({ ...one, operation, fault, took }))),
);

/** Returns the number of mails that SES receives during a failed first request and its successful repeat. */
function mailsOf(one: (typeof failures)[number]): number {
  if (!isMailed(one)) return 0;
  const { first, operation, took } = one;
  if (operation === 'TransactWriteItems') return took ? 1 : 2;
  return first.indexOf(operation) === first.indexOf('SendEmail') && took ? 2 : 1;
}

describe('A request that is repeated after a lost response takes effect once:', () => {
  test.each(failures)('$kind, $operation $fault', async (one) => {
    const id = await dogOf(one.kind);
    plan(one.operation, one.fault, 1_000);
    await expect(send(id, { milliseconds: 250 })).rejects.toThrow(Unavailable);
    const mails = sent().length;
    reset();
    const outcome = await sendAgain(id);
    expect(outcome.kind).toBe(one.outcome);
    expect(await stored(id)).toEqual(one.expectedCounts);
    expect(mails + sent().length).toBe(mailsOf(one));
    expect(await send(id, { after: 2 * lease })).toEqual(outcome);
    expect(await stored(id)).toEqual(one.expectedCounts);
    expect(mails + sent().length).toBe(mailsOf(one));
  });

  test.each(cases)('$kind, if the response is lost and DynamoDB has forgotten the token', async (one) => {
    const id = await dogOf(one.kind);
    plan('TransactWriteItems', 'response and token lost');
    const outcome = await send(id);
    expect(outcome.kind).toBe(one.outcome);
    expect(calls()).not.toContain('StopExecution');
    expect(await send(id)).toEqual(outcome);
    expect(await stored(id)).toEqual(one.expectedCounts);
    expect(sent()).toHaveLength(isMailed(one) ? 1 : 0);
  });

  test('a bark that is repeated while its transaction is in progress', async () => {
    const id = await dogOf(['sync', 'emailDog', 'record']);
    let repeated: BarkOutcome | undefined;
    plan('TransactWriteItems', async () => {
      await expect(send(id, { after: lease - second })).rejects.toThrow(NotYet);
      repeated = await send(id, { after: lease });
    });
    expect(await send(id)).toEqual(repeated);
    expect(await stored(id)).toEqual(recorded);
    expect(sent()).toHaveLength(2);
  });

  test('a bark whose claim lost its first response', async () => {
    const id = await dogOf(['sync', 'emailDog', 'record']);
    plan('PutItem', 'response lost');
    expect((await send(id)).kind).toBe('recorded');
    expect(calls()).toEqual(['GetItem', 'PutItem', 'PutItem', 'SendEmail', 'TransactWriteItems']);
    expect(await stored(id)).toEqual(recorded);
  });

  test('a bark whose claim reaches DynamoDB again after everything is written', async () => {
    const id = await dogOf(['sync', 'emailDog', 'record']);
    let claim: PutItemCommandInput | undefined;
    plan('PutItem', async ({ body }) => {
      claim = JSON.parse(new TextDecoder().decode(body as Uint8Array));
    });
    const outcome = await send(id);
    const again = new PutItemCommand(claim as PutItemCommandInput);
    await expect(database.send(again)).rejects.toThrow(ConditionalCheckFailedException);
    expect(await send(id, { after: lease })).toEqual(outcome);
    expect(await stored(id)).toEqual(recorded);
  });

  test('a bark that takes longer than its lease, while its repeat is in progress', async () => {
    const id = await dogOf(['sync', 'emailDog', 'record']);
    const [repeatMails, slowEnds] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let repeat: Promise<BarkOutcome> | undefined;
    plan('SendEmail', () => {
      plan('SendEmail', () => {
        repeatMails.resolve();
        return slowEnds.promise;
      });
      repeat = send(id, { after: lease });
      return repeatMails.promise;
    });
    await expect(send(id)).rejects.toThrow(NotYet);
    expect(await stored(id)).toEqual(nothing);
    slowEnds.resolve();
    const outcome = await repeat;
    expect(await send(id)).toEqual(outcome);
    expect(await stored(id)).toEqual(recorded);
    expect(sent()).toHaveLength(2);
  });
});

describe('A request that had no effect', () => {
  test.each<[Fault, new (message: string) => Error]>([
    ['refused', MailRefused],
    ['throttled', Unavailable],
    ['response lost', Unavailable],
  ])('can be repeated at once if the mail fails: %s', async (fault, error) => {
    const id = await dogOf(['sync', 'emailDog', 'record']);
    plan('SendEmail', fault);
    await expect(send(id)).rejects.toThrow(error);
    expect(await stored(id)).toEqual(nothing);
    expect((await send(id)).kind).toBe('recorded');
    expect(await stored(id)).toEqual(recorded);
  });

  test.each(['fails before', 'hangs', 'hangs after'] as const)(
    'can be repeated after the lease if the release of its key fails: %s',
    async (fault) => {
      const id = await dogOf(['sync', 'emailDog', 'record']);
      plan('SendEmail', 'refused');
      plan('PutItem', async () => {});
      plan('PutItem', fault, 1_000);
      await expect(send(id, { milliseconds: 250 })).rejects.toThrow(MailRefused);
      reset();
      expect((await sendAgain(id)).kind).toBe('recorded');
      expect(await stored(id)).toEqual(recorded);
    },
  );

  test('does not release its key after the lease, because a repeat has claimed the key', async () => {
    const id = await dogOf(['sync', 'emailDog', 'record']);
    const [repeatMails, slowEnded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let repeat: Promise<BarkOutcome> | undefined;
    plan('SendEmail', async () => {
      plan('SendEmail', () => {
        repeatMails.resolve();
        return slowEnded.promise;
      });
      repeat = send(id, { after: lease });
      await repeatMails.promise;
      throw new Error('SES refuses it');
    });
    await expect(send(id)).rejects.toThrow(MailRefused);
    await expect(send(id, { after: lease + second })).rejects.toThrow(NotYet);
    slowEnded.resolve();
    expect((await repeat)?.kind).toBe('recorded');
    expect(sent()).toHaveLength(1);
  });

  test('leaves no record of its key if the dog is deleted and purged in the meantime', async () => {
    const id = await dogOf(['sync', 'emailDog', 'record']);
    const { incarnation } = await readDog(id, newContext());
    plan('SendEmail', async () => {
      await deleteDog(id, {}, newContext());
      await purgeDog({ id, incarnation }, newContext());
    });
    await expect(send(id)).rejects.toThrow(NotFound);
    expect(await keyItems(id)).toEqual([]);
  });

  test('throws NotYet with a growing waiting time to repeats until the lease ends', async () => {
    const id = await dogOf(['sync', 'emailDog', 'record']);
    const process = new Process();
    process.plan('SendEmail', 'dies');
    await process.run(() => send(id));
    const waits: number[] = [];
    for (const after of [0, 1, 10, 35, 59]) {
      const refusal = await send(id, { after: after * second }).catch((error) => error);
      expect(refusal).toBeInstanceOf(NotYet);
      waits.push(refusal.retryAfterSeconds);
    }
    expect(waits).toEqual([1, 1, 10, 25, 1]);
    expect((await send(id, { after: lease })).kind).toBe('recorded');
  });

  test('does not use up its key if the dog does not exist', async () => {
    await expect(send('not-yet')).rejects.toThrow(NotFound);
    const settings = { email: undefined, owner: undefined, barkEffects: ['record' as const] };
    await putDog('not-yet', { ...settings, barkHandling: 'sync' }, {}, newContext());
    expect((await send('not-yet', { message: 'Another' })).kind).toBe('recorded');
  });
});

describe('Concurrent requests with one key', () => {
  const concurrently = <Result>(send: () => Promise<Result>) =>
    Promise.allSettled(Array.from({ length: 12 }, send)).then((results) => ({
      outcomes: results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
      errors: results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])),
    }));

  test.each(cases)('make the dog bark once: $kind', async (one) => {
    const id = await dogOf(one.kind);
    const { outcomes, errors } = await concurrently(() => send(id));
    const [outcome] = outcomes;
    for (const other of outcomes) expect(other).toEqual(outcome);
    for (const error of errors) expect([isMailed(one), error]).toEqual([true, expect.any(NotYet)]);
    expect(outcome?.kind).toBe(one.outcome);
    expect(await stored(id)).toEqual(one.expectedCounts);
    expect(sent()).toHaveLength(isMailed(one) ? 1 : 0);
    if (one.outcome === 'accepted')
      expect(calls().filter((name) => name === 'StopExecution')).toHaveLength(11);
  });

  test('make the dog bark once after the lease of a request that died', async () => {
    const id = await dogOf(['sync', 'emailDog', 'record']);
    plan('TransactWriteItems', 'hangs');
    await expect(send(id, { milliseconds: 100 })).rejects.toThrow(Unavailable);
    const { outcomes, errors } = await concurrently(() => send(id, { after: lease }));
    expect(outcomes.length).toBeGreaterThan(0);
    for (const error of errors) expect(error).toBeInstanceOf(NotYet);
    expect(await stored(id)).toEqual(recorded);
    expect(sent()).toHaveLength(2);
  });

  test('make the dog bark once while it barks for other requests', async () => {
    const id = await dogOf(['sync', 'record']);
    await concurrently(async () => {
      await createBark(id, {}, newContext());
      return send(id);
    });
    expect(await stored(id)).toMatchObject({ count: 13, recorded: 13 });
  });
});

describe('A different request with the same key throws KeyReused and has no effect:', () => {
  test.each(
    cases.flatMap((one) => [
      { ...one, other: { message: 'Woof' } },
      { ...one, other: { message: undefined } },
      { ...one, other: { isAsync: true } },
    ]),
  )('$kind, then $other', async ({ kind, expectedCounts, other }) => {
    const id = await dogOf(kind);
    const outcome = await send(id);
    reset();
    await expect(send(id, other)).rejects.toThrow(KeyReused);
    expect(sent()).toEqual([]);
    expect(await stored(id)).toEqual(expectedCounts);
    expect(await send(id)).toEqual(outcome);
  });

  test('while the first request is in progress, and after its lease', async () => {
    const id = await dogOf(['sync', 'emailDog', 'record']);
    plan('SendEmail', () => expect(send(id, { message: 'Woof' })).rejects.toThrow(KeyReused));
    plan('TransactWriteItems', 'hangs');
    await expect(send(id, { milliseconds: 300 })).rejects.toThrow(Unavailable);
    await expect(send(id, { message: 'Woof', after: lease })).rejects.toThrow(KeyReused);
    expect(sent()).toHaveLength(1);
  });
});

describe('An Idempotency-Key', () => {
  test.each(cases)(
    'is valid for a day, even if DynamoDB has not deleted its record yet: $kind',
    async ({ kind }) => {
      const id = await dogOf(kind);
      const first = await send(id);
      const next = await send(id, { message: 'Another', after: day });
      expect(next.kind).toBe(first.kind);
      if ('bark' in next) expect(next).not.toEqual(first);
      expect(await send(id, { message: 'Another', after: day })).toEqual(next);
      await expect(send(id, { after: day })).rejects.toThrow(KeyReused);
    },
  );

  test.each([
    ['user', { user: 'cat-lover' }],
    ['resource', { resource: 'bark' }],
    ['spelling, with capital letters,', { value: 'One' }],
  ] as const)('of another %s is another key', async (_, other) => {
    const id = await dogOf(['sync', 'record']);
    await send(id);
    await send(id, { key: { ...key, ...other }, message: 'Another' });
    expect(await stored(id)).toMatchObject({ count: 2, recorded: 2 });
  });

  test('of another dog is a different key', async () => {
    const [one, other] = [await dogOf(['sync', 'record']), await dogOf(['sync', 'record'])];
    await send(one);
    await send(other, { message: 'Another' });
    expect([await stored(one), await stored(other)]).toEqual([recorded, recorded]);
  });

  test('belongs to one incarnation of the dog, so that a new dog with the same ID barks once for it', async () => {
    const id = await dogOf(['sync', 'emailDog', 'record']);
    const { settings } = await readDog(id, newContext());
    let ofTheNewDog: BarkOutcome | undefined;
    plan('PutItem', async () => {
      await deleteDog(id, {}, newContext());
      await putDog(id, settings, {}, newContext({ after: second }));
      ofTheNewDog = await send(id);
    });
    await expect(send(id)).rejects.toThrow(NotFound);
    expect(await send(id)).toEqual(ofTheNewDog);
    expect(await stored(id)).toEqual(recorded);
  });
});

/** Returns the idempotency records of a dog. */
async function keyItems(dog: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await database.send(
    new ScanCommand({
      TableName: process.env.BARKS_TABLE,
      FilterExpression: 'dog = :dog AND begins_with(sk, :k)',
      ExpressionAttributeValues: { ':dog': dog, ':k': sortKey('idempotencyRecord', '') },
    }),
  );
  return Items;
}

describe('An idempotency record', () => {
  test.each(cases)(
    'is small, contains nothing that the client sent, and expires after a day: $kind',
    async ({ kind }) => {
      const id = await dogOf(kind);
      await send(id, { message: 'A secret', key: { ...key, value: 'sesame' } });
      const [item, ...others] = await keyItems(id);
      expect(others).toEqual([]);
      expect(item).toMatchObject({ expires: (now + day) / 1000, incarnation: expect.any(String) });
      const text = JSON.stringify(item);
      expect(text.length).toBeLessThan(500);
      expect(text).not.toMatch(/secret|sesame|dog-lover/);
    },
  );

  test('has a different payload hash for each key, even if the requests are the same', async () => {
    const id = await dogOf(['sync', 'count']);
    for (const value of ['one', 'two']) await send(id, { key: { ...key, value } });
    const [one, two] = await keyItems(id);
    expect(one?.payloadHash).not.toBe(two?.payloadHash);
  });

  test('is purged with the other orphans of a deleted dog, and a new dog with the same ID keeps its own', async () => {
    const id = await dogOf(['sync', 'record']);
    const { incarnation, settings } = await readDog(id, newContext());
    await send(id);
    await deleteDog(id, {}, newContext());
    await expect(send(id)).rejects.toThrow(NotFound);
    await putDog(id, settings, {}, newContext({ after: second }));
    const outcome = await send(id);
    expect(await keyItems(id)).toHaveLength(2);
    await purgeDog({ id, incarnation }, newContext());
    expect(await keyItems(id)).toHaveLength(1);
    expect(await send(id)).toEqual(outcome);
    expect(await stored(id)).toEqual(recorded);
  });
});
