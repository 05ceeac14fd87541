import {
  type CancellationReason,
  ConditionalCheckFailedException,
  InternalServerError,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import {
  commit,
  type FailedCondition,
  outdated,
  type Part,
  untilCommitted,
  type Verdict,
} from '../../../../lambdas/domain/platform/commit.ts';
import { Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { newContext } from '../../../support/context.ts';
import { mockClient } from '../../../support/mock-client.ts';

const dynamodb = mockClient(DynamoDBDocumentClient);
const failed: CancellationReason = { Code: 'ConditionalCheckFailed' };
const none: CancellationReason = { Code: 'None' };

beforeEach(() => dynamodb.reset());

function put(id: string) {
  return { Put: { TableName: 'table', Item: { id } } };
}

type Failures = readonly (FailedCondition | undefined)[];

/** Returns a part that writes items and refuses with its failed conditions, unless it judges them in another way. */
function part(
  ids: readonly string[],
  judge: (failures: Failures) => Verdict<Failures> = (failures) => ({ refusal: failures }),
): Part<Failures> {
  return { actions: ids.map(put), judge };
}

/** Returns a part that may be written without a transaction. */
function singlePart(id: string, isOwn = false): Part<Failures> {
  return { ...part([id]), single: { command: new PutCommand(put(id).Put), isOwn: () => isOwn } };
}

function cancelled(CancellationReasons: CancellationReason[], attempts?: number) {
  const $metadata = attempts === undefined ? {} : { attempts };
  return new TransactionCanceledException({ $metadata, message: '', CancellationReasons });
}

/** Commits parts, and returns the written item, or the name of the part that refused with its refusal. */
function commitParts(
  plan: { first?: Part<Failures>; second?: Part<Failures> },
  context = newContext(),
): Promise<unknown> {
  const first = (refusal: Failures) => ({ first: refusal });
  const second = (refusal: Failures) => ({ second: refusal });
  return commit(plan, { written: (item) => ({ item }), refused: { first, second } }, context);
}

function transactions() {
  return dynamodb.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input);
}

describe('commit', () => {
  test('sends the actions of all parts in one transaction, and leaves out parts without actions', async () => {
    dynamodb.on(TransactWriteCommand).resolves({});
    expect(await commitParts({ first: part(['a', 'b']), second: part([]) })).toEqual({ item: undefined });
    expect(transactions().map(({ TransactItems }) => TransactItems)).toEqual([[put('a'), put('b')]]);
  });

  test('sends nothing if no part has actions', async () => {
    expect(await commitParts({ first: part([]) })).toEqual({ item: undefined });
    expect(dynamodb.calls()).toEqual([]);
  });

  test('sends all attempts at a transaction with one client request token', async () => {
    dynamodb
      .on(TransactWriteCommand)
      .rejectsOnce(cancelled([none, { Code: 'TransactionConflict' }]))
      .resolves({});
    await commitParts({ first: part(['a', 'b']) });
    const tokens = transactions().map(({ ClientRequestToken }) => ClientRequestToken);
    expect(tokens).toEqual([expect.any(String), tokens[0]]);
  });

  test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'repeats a transaction after %s until the deadline, and then throws Unavailable',
    async (Code) => {
      dynamodb.on(TransactWriteCommand).rejects(cancelled([none, { Code }]));
      const result = commitParts({ first: part(['a', 'b']) }, newContext({ milliseconds: 300 }));
      await expect(result).rejects.toThrow(Unavailable);
      expect(transactions().length).toBeGreaterThan(1);
    },
  );

  test('passes the failed conditions of a part to it, in the order of its actions', async () => {
    const Item = { id: { S: 'c' } };
    dynamodb.on(TransactWriteCommand).rejects(cancelled([none, none, { ...failed, Item }], 2));
    expect(await commitParts({ first: part(['a']), second: part(['b', 'c']) })).toEqual({
      second: [undefined, { item: { id: 'c' }, wasRetried: true }],
    });
  });

  test.each([undefined, 1])('reports %p attempts as no repeat', async (attempts) => {
    dynamodb.on(TransactWriteCommand).rejects(cancelled([failed], attempts));
    expect(await commitParts({ first: part(['a']) })).toEqual({
      first: [{ item: undefined, wasRetried: false }],
    });
  });

  test('lets the first part whose conditions failed decide, even if another action has a conflict', async () => {
    dynamodb.on(TransactWriteCommand).rejects(cancelled([{ Code: 'TransactionConflict' }, failed, failed]));
    const second = part(['c'], () => 'written');
    expect(await commitParts({ first: part(['a', 'b']), second })).toHaveProperty('first');
  });

  test('counts as written if a part recognizes its own earlier attempt', async () => {
    dynamodb.on(TransactWriteCommand).rejects(cancelled([failed, failed]));
    const first = part(['a'], () => 'written');
    expect(await commitParts({ first, second: part(['b']) })).toEqual({ item: undefined });
  });

  test('starts again with another part and a new client request token', async () => {
    dynamodb
      .on(TransactWriteCommand)
      .rejectsOnce(cancelled([failed, none]))
      .resolves({});
    const first = part(['a'], () => ({ again: part(['other']) }));
    expect(await commitParts({ first, second: part(['b']) })).toEqual({ item: undefined });
    const [one, other] = transactions();
    expect(other?.TransactItems).toEqual([put('other'), put('b')]);
    expect(other?.ClientRequestToken).not.toBe(one?.ClientRequestToken);
  });

  test.each([
    ['an outage', new InternalServerError({ $metadata: {}, message: '' }), Unavailable],
    ['an invalid action', cancelled([{ Code: 'ValidationError' }, none]), TransactionCanceledException],
  ])('throws after %s', async (_, thrown, expected) => {
    dynamodb.on(TransactWriteCommand).rejects(thrown);
    await expect(commitParts({ first: part(['a', 'b']) })).rejects.toThrow(expected);
  });
});

describe('commit of a single write', () => {
  const failure = new ConditionalCheckFailedException({
    $metadata: {},
    message: '',
    Item: { id: { S: 'x' } },
  });

  test('needs no transaction, and returns the written item', async () => {
    dynamodb.on(PutCommand).resolves({ Attributes: { id: 'a' } });
    expect(await commitParts({ first: singlePart('a'), second: part([]) })).toEqual({ item: { id: 'a' } });
    expect(transactions()).toEqual([]);
  });

  test('is a transaction if another part is written as well', async () => {
    dynamodb.on(TransactWriteCommand).resolves({});
    await commitParts({ first: singlePart('a'), second: part(['b']) });
    expect(transactions().map(({ TransactItems }) => TransactItems)).toEqual([[put('a'), put('b')]]);
  });

  test('counts as written if the stored item is its own', async () => {
    dynamodb.on(PutCommand).rejects(failure);
    expect(await commitParts({ first: singlePart('a', true) })).toEqual({ item: { id: 'x' } });
  });

  test('lets the part decide if the stored item is that of another write', async () => {
    dynamodb.on(PutCommand).rejects(failure);
    expect(await commitParts({ first: singlePart('a') })).toEqual({
      first: [{ item: { id: 'x' }, wasRetried: false }],
    });
  });

  test('throws any other error', async () => {
    dynamodb.on(PutCommand).rejects(new Error('another error'));
    await expect(commitParts({ first: singlePart('a') })).rejects.toThrow('another error');
  });
});

test('untilCommitted repeats an attempt until its result is not outdated', async () => {
  const results = [outdated, outdated, 'committed'] as const;
  let attempts = 0;
  expect(await untilCommitted(async () => results[attempts++] ?? 'too late')).toBe('committed');
  expect(attempts).toBe(3);
});
