import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { useDatabase } from '../support/database.ts';

useDatabase();

let database: DynamoDBDocumentClient;
beforeAll(() => {
  database = DynamoDBDocumentClient.from(new DynamoDBClient());
});

const ReturnConsumedCapacity = 'TOTAL';
const TableName = () => String(process.env.BARKS_TABLE);
const keyOf = (sk: string) => ({ dog: 'rex', sk });

/** Returns an item with the given size in bytes, which includes the attribute names. */
function itemOf(size: number, sk: string): object {
  const others = 'dog'.length + 'rex'.length + 'sk'.length + sk.length + 'filler'.length;
  return { ...keyOf(sk), filler: 'x'.repeat(size - others) };
}

type Told = { readonly ConsumedCapacity?: Units | Units[] | undefined };
type Units = { readonly CapacityUnits?: number | undefined };

function unitsOf({ ConsumedCapacity }: Told): number {
  return [ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

async function put(size: number, sk = `${size}`): Promise<number> {
  const Item = itemOf(size, sk);
  return unitsOf(
    await database.send(new PutCommand({ TableName: TableName(), Item, ReturnConsumedCapacity })),
  );
}

async function get(sk: string, ConsistentRead = true): Promise<number> {
  const Key = keyOf(sk);
  return unitsOf(
    await database.send(
      new GetCommand({ TableName: TableName(), Key, ConsistentRead, ReturnConsumedCapacity }),
    ),
  );
}

/**
 * Checks the rules in the developer guide of DynamoDB.
 * @see {@link https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html DynamoDB read and
 *   write operations}
 */
describe('The embedded database returns the request units of DynamoDB', () => {
  test.each([
    [100, 1],
    [1024, 1],
    [1025, 2],
    [4097, 5],
  ])('a write of %i bytes takes %i', async (size, units) => {
    expect(await put(size)).toBe(units);
  });

  test.each([
    [4096, 1],
    [4097, 2],
  ])(
    'a strongly consistent read of %i bytes takes %i, and an eventually consistent read half of that',
    async (size, units) => {
      await put(size);
      expect([await get(`${size}`), await get(`${size}`, false)]).toEqual([units, units / 2]);
    },
  );

  test('a read without an item takes 1', async () => {
    expect(await get('nothing')).toBe(1);
  });

  test('an update takes the units of the larger item, before or after it', async () => {
    await put(1025, 'shrinks');
    const command = new UpdateCommand({
      TableName: TableName(),
      Key: keyOf('shrinks'),
      UpdateExpression: 'REMOVE filler',
      ReturnConsumedCapacity,
    });
    expect(unitsOf(await database.send(command))).toBe(2);
    expect(unitsOf(await database.send(command))).toBe(1);
  });

  test('a deletion without an item takes 1', async () => {
    const command = new DeleteCommand({
      TableName: TableName(),
      Key: keyOf('nothing'),
      ReturnConsumedCapacity,
    });
    expect(unitsOf(await database.send(command))).toBe(1);
  });

  test('a query takes the units of its items together, including those that its filter removes', async () => {
    await Promise.all(Array.from({ length: 41 }, (_, n) => put(100, `q${10 + n}`)));
    const query = (Limit: number, filter = {}) =>
      new QueryCommand({
        TableName: TableName(),
        KeyConditionExpression: 'dog = :dog AND begins_with(sk, :q)',
        ExpressionAttributeValues: { ':dog': 'rex', ':q': 'q' },
        ConsistentRead: true,
        Limit,
        ReturnConsumedCapacity,
        ...filter,
      });
    const filter = { FilterExpression: 'attribute_not_exists(filler)', ProjectionExpression: 'sk' };
    const units = [query(40), query(41), query(41, filter)].map(async (one) =>
      unitsOf(await database.send(one)),
    );
    expect(await Promise.all(units)).toEqual([1, 2, 2]);
  });

  test('a transaction takes twice the units of its writes, each rounded separately', async () => {
    const command = new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName: TableName(), Item: itemOf(100, 'small') } },
        { Put: { TableName: TableName(), Item: itemOf(1025, 'large') } },
        { Delete: { TableName: TableName(), Key: keyOf('nothing') } },
      ],
      ReturnConsumedCapacity,
    });
    expect(unitsOf(await database.send(command))).toBe(2 * (1 + 2 + 1));
  });
});
