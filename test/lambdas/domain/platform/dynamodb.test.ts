import {
  type CancellationReason,
  InternalServerError,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readItems, withRetries } from '../../../../lambdas/domain/platform/dynamodb.ts';
import { Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { newContext } from '../../../support/context.ts';
import { mockClient } from '../../../support/mock-client.ts';

const dynamodb = mockClient(DynamoDBDocumentClient);

beforeEach(() => dynamodb.reset());

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

describe('run', () => {
  const none: CancellationReason = { Code: 'None' };
  const $metadata = {};
  const cancelled = (...CancellationReasons: CancellationReason[]) =>
    new TransactionCanceledException({ $metadata, message: '', CancellationReasons });

  test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'repeats a transaction after %s',
    async (Code) => {
      const send = jest.fn().mockRejectedValueOnce(cancelled(none, { Code })).mockResolvedValue('done');
      expect(await withRetries(send, newContext())).toBe('done');
      expect(send).toHaveBeenCalledTimes(2);
    },
  );

  const failed = cancelled({ Code: 'TransactionConflict' }, { Code: 'ConditionalCheckFailed' });
  const invalid = cancelled({ Code: 'ValidationError' }, none);
  const withoutReasons = new TransactionCanceledException({ $metadata, message: '' });
  const outage = new InternalServerError({ $metadata, message: '' });
  test.each<[string, Error, unknown]>([
    ['a failed condition, even if another action has a conflict', failed, failed],
    ['an invalid action', invalid, invalid],
    ['a transaction that was cancelled without reasons', withoutReasons, withoutReasons],
    ['an outage', outage, expect.any(Unavailable)],
  ])('throws after %s, and does not try again', async (_, error, thrown) => {
    const send = jest.fn().mockRejectedValue(error);
    await expect(withRetries(send, newContext())).rejects.toEqual(thrown);
    expect(send).toHaveBeenCalledTimes(1);
  });
});
