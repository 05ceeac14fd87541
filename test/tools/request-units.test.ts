import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as documents from '@aws-sdk/lib-dynamodb';
import { useDatabase } from '../support/database.ts';

useDatabase();

type Command = 'Delete' | 'Get' | 'Put' | 'Query' | 'TransactWrite' | 'Update';

let database: documents.DynamoDBDocumentClient;
beforeAll(async () => {
  database = documents.DynamoDBDocumentClient.from(new DynamoDBClient());
  await Promise.all(Array.from({ length: 41 }, (_, n) => unitsOf('Put', put(100, `q${10 + n}`))));
});

/** Returns the request units that a call takes. */
async function unitsOf(command: Command, input: object): Promise<number> {
  const { [`${command}Command`]: Constructor } = documents as unknown as Record<
    string,
    new (
      input: object,
    ) => documents.PutCommand
  >;
  if (!Constructor) throw new Error(`There is no command ${command}.`);
  const whole = { ...input, ReturnConsumedCapacity: 'TOTAL' };
  const { ConsumedCapacity = [] } = await database.send(new Constructor(whole));
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

const inTable = (input: object) => ({ TableName: process.env.BARKS_TABLE, ...input });
const onKey = (sk: string | number, more = {}) => inTable({ Key: { dog: 'rex', sk: `${sk}` }, ...more });
/** A write of an item with the given size in bytes, which includes the attribute names. */
const put = (size: number, sk = `${size}`) => {
  const others = `dogrexsk${sk}filler`.length;
  return inTable({ Item: { dog: 'rex', sk, filler: 'x'.repeat(size - others) } });
};
const query = (Limit: number, filter = {}) =>
  inTable({
    KeyConditionExpression: 'dog = :dog AND begins_with(sk, :q)',
    ExpressionAttributeValues: { ':dog': 'rex', ':q': 'q' },
    ConsistentRead: true,
    Limit,
    ...filter,
  });
const consistent = { ConsistentRead: true };
const shrinking = { UpdateExpression: 'REMOVE filler' };
const filtered = { FilterExpression: 'attribute_not_exists(filler)', ProjectionExpression: 'sk' };

/*
 * The reads and updates need the items that the first rows write.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
test.each<[what: string, units: number, command: Command, input: () => object]>([
  ['a write of 100 bytes', 1, 'Put', () => put(100)],
  ['a write of 1,024 bytes', 1, 'Put', () => put(1024)],
  ['a write of 1,025 bytes', 2, 'Put', () => put(1025)],
  ['a write of 4,096 bytes', 4, 'Put', () => put(4096)],
  ['a write of 4,097 bytes', 5, 'Put', () => put(4097)],
  ['a strongly consistent read of 4,096 bytes', 1, 'Get', () => onKey(4096, consistent)],
  ['a strongly consistent read of 4,097 bytes', 2, 'Get', () => onKey(4097, consistent)],
  ['an eventually consistent read of 4,097 bytes', 1, 'Get', () => onKey(4097)],
  ['a strongly consistent read without an item', 1, 'Get', () => onKey('nothing', consistent)],
  ['an update of a larger item', 2, 'Update', () => onKey(1025, shrinking)],
  ['an update of an item that stays small', 1, 'Update', () => onKey(1025, shrinking)],
  ['a deletion without an item', 1, 'Delete', () => onKey('nothing')],
  ['a query of 40 items', 1, 'Query', () => query(40)],
  ['a query of 41 items', 2, 'Query', () => query(41)],
  ['a query whose filter removes all 41 items', 2, 'Query', () => query(41, filtered)],
  [
    'a transaction, which takes twice the units of each write',
    2 * (1 + 2 + 1),
    'TransactWrite',
    () => ({
      TransactItems: [{ Put: put(100, 'small') }, { Put: put(1025, 'large') }, { Delete: onKey('nothing') }],
    }),
  ],
])('The embedded database returns the request units of %s: %d', async (_, units, command, input) => {
  expect(await unitsOf(command, input())).toBe(units);
});
