import {
  type CancellationReason,
  ConditionalCheckFailedException,
  InternalServerError,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import {
  type Action,
  conditionFailuresOf,
  failedCondition,
  readItems,
  transact,
  wasRetried,
} from '../../../../lambdas/domain/platform/dynamodb.ts';
import { Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { newContext } from '../../../support/context.ts';
import { mockClient } from '../../../support/mock-client.ts';

const dynamodb = mockClient(DynamoDBDocumentClient);
const failed: CancellationReason = { Code: 'ConditionalCheckFailed' };
const none: CancellationReason = { Code: 'None' };

beforeEach(() => dynamodb.reset());

function put(id: string): Action {
  return { Put: { TableName: 'table', Item: { id } } };
}

function cancelled(CancellationReasons: CancellationReason[], attempts?: number) {
  const $metadata = attempts === undefined ? {} : { attempts };
  return new TransactionCanceledException({ $metadata, message: '', CancellationReasons });
}

/** Returns the error of a transaction with three actions, the second of which is undefined. */
function errorOfTransaction(): Promise<unknown> {
  return transact(
    { bark: put('bark'), marker: undefined, idempotency: put('idempotency') },
    newContext(),
  ).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('transact', () => {
  test('sends the actions in the order of their names, and omits undefined actions', async () => {
    dynamodb.on(TransactWriteCommand).resolves({});
    await transact({ second: put('a'), first: undefined, third: put('b') }, newContext());
    const [sent] = dynamodb.commandCalls(TransactWriteCommand);
    expect(sent?.args[0].input.TransactItems).toEqual([put('a'), put('b')]);
  });

  test('sends all attempts with one client request token', async () => {
    dynamodb
      .on(TransactWriteCommand)
      .rejectsOnce(cancelled([none, { Code: 'TransactionConflict' }]))
      .resolves({});
    await transact({ bark: put('bark') }, newContext());
    const calls = dynamodb.commandCalls(TransactWriteCommand);
    const tokens = calls.map(({ args }) => args[0].input.ClientRequestToken);
    expect(tokens).toEqual([expect.any(String), tokens[0]]);
  });

  test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'repeats the transaction after %s until the deadline, and then throws Unavailable',
    async (Code) => {
      dynamodb.on(TransactWriteCommand).rejects(cancelled([none, { Code }]));
      const transaction = transact({ bark: put('bark') }, newContext({ milliseconds: 300 }));
      await expect(transaction).rejects.toThrow(Unavailable);
      expect(dynamodb.commandCalls(TransactWriteCommand).length).toBeGreaterThan(1);
    },
  );
});

describe('readItems', () => {
  const dog = { table: 'dogs', key: { id: 'rex' } };
  const bark = { table: 'barks', key: { dog: 'rex', sk: 'b#1' } };
  const other = { table: 'barks', key: { dog: 'rex', sk: 'b#2' } };
  const read = (...keys: (typeof dog | typeof bark)[]) => ({
    RequestItems: Object.fromEntries(
      keys.map(({ table }) => [
        table,
        { Keys: keys.filter((one) => one.table === table).map(({ key }) => key), ConsistentRead: true },
      ]),
    ),
  });

  test('reads all items with one call, and returns them in the order of the keys', async () => {
    const barks = [
      { ...other.key, timestamp: 2 },
      { ...bark.key, timestamp: 1 },
    ];
    dynamodb.on(BatchGetCommand).resolves({ Responses: { barks, dogs: [{ ...dog.key, version: 1 }] } });
    const items = await readItems([dog, bark, other], newContext());
    expect(items).toEqual([{ ...dog.key, version: 1 }, barks[1], barks[0]]);
    expect(dynamodb.commandCalls(BatchGetCommand).map(({ args }) => args[0].input)).toEqual([
      read(dog, bark, other),
    ]);
  });

  test('returns undefined for an item that does not exist, even if another table has an item with the key', async () => {
    dynamodb.on(BatchGetCommand).resolves({ Responses: { others: [dog.key], barks: [] } });
    expect(await readItems([dog, bark], newContext())).toEqual([undefined, undefined]);
  });

  test('requests the unprocessed keys again, and keeps the items of the earlier responses', async () => {
    dynamodb
      .on(BatchGetCommand)
      .resolvesOnce({ Responses: { dogs: [dog.key] }, UnprocessedKeys: read(bark).RequestItems })
      .resolves({ Responses: { barks: [bark.key] }, UnprocessedKeys: {} });
    expect(await readItems([dog, bark], newContext())).toEqual([dog.key, bark.key]);
    expect(dynamodb.commandCalls(BatchGetCommand).map(({ args }) => args[0].input)).toEqual([
      read(dog, bark),
      read(bark),
    ]);
  });

  test('throws Unavailable if keys are unprocessed until the deadline', async () => {
    dynamodb
      .on(BatchGetCommand)
      .resolves({ Responses: { dogs: [dog.key] }, UnprocessedKeys: read(bark).RequestItems });
    await expect(readItems([dog, bark], newContext({ milliseconds: 300 }))).rejects.toThrow(Unavailable);
    expect(dynamodb.commandCalls(BatchGetCommand).length).toBeGreaterThan(1);
  });
});

describe('conditionFailuresOf', () => {
  test('names the action whose condition failed, even if an action before it is omitted', async () => {
    const Item = { id: { S: 'idempotency' } };
    dynamodb.on(TransactWriteCommand).rejects(cancelled([none, { ...failed, Item }]));
    expect(conditionFailuresOf(await errorOfTransaction())).toEqual({
      idempotency: { item: { id: 'idempotency' } },
    });
  });

  test('names each action whose condition failed, with or without its item', async () => {
    dynamodb.on(TransactWriteCommand).rejects(cancelled([failed, failed]));
    expect(conditionFailuresOf(await errorOfTransaction())).toEqual({ bark: {}, idempotency: {} });
  });

  test('ignores contention if a condition failed as well', async () => {
    dynamodb.on(TransactWriteCommand).rejects(cancelled([{ Code: 'TransactionConflict' }, failed]));
    expect(conditionFailuresOf(await errorOfTransaction())).toEqual({ idempotency: {} });
  });

  test.each([
    ['an outage', new InternalServerError({ $metadata: {}, message: '' }), Unavailable],
    ['an invalid action', cancelled([{ Code: 'ValidationError' }, none]), TransactionCanceledException],
  ])('returns undefined for %s', async (_, thrown, expected) => {
    dynamodb.on(TransactWriteCommand).rejects(thrown);
    const error = await errorOfTransaction();
    expect(error).toBeInstanceOf(expected);
    expect(conditionFailuresOf(error)).toBeUndefined();
  });
});

describe('failedCondition', () => {
  test('returns the item of a plain write, and undefined for another error', () => {
    const Item = { id: { S: 'rex' } };
    const error = new ConditionalCheckFailedException({ $metadata: {}, message: '', Item });
    expect(failedCondition(error)).toEqual({ item: { id: 'rex' } });
    expect(failedCondition(new Error())).toBeUndefined();
  });
});

describe('wasRetried', () => {
  test.each([
    [undefined, false],
    [1, false],
    [2, true],
  ])('after %p attempts returns %p', async (attempts, expected) => {
    dynamodb.on(TransactWriteCommand).rejects(cancelled([failed, none], attempts));
    expect(wasRetried(await errorOfTransaction())).toBe(expected);
  });
});
