import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type OperatorAccess, operatorAccess, withClient } from './operator-access.ts';

export function withDatabase<Result>(
  directory: string,
  work: (client: DynamoDBClient, outputs: OperatorAccess['outputs']) => Promise<Result>,
): Promise<Result> {
  return withClient(DynamoDBClient, directory, (client) => work(client, operatorAccess(directory).outputs));
}

/** Creates an empty table with the keys of a table of the stack. @returns the keys */
export function createTableLike(directory: string, output: string, TableName: string) {
  return withDatabase(directory, async (client, outputs) => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: outputs[output] }));
    const { KeySchema = [], AttributeDefinitions } = Table ?? {};
    const keys = { TableName, KeySchema, AttributeDefinitions };
    await client.send(new CreateTableCommand({ ...keys, BillingMode: 'PAY_PER_REQUEST' }));
    return KeySchema;
  });
}

/** Returns a dog's items in the table of barks, except usage items, which belong to no incarnation. */
export function itemsOf(directory: string, dog: string): Promise<Record<string, unknown>[]> {
  return withDatabase(directory, async (client, outputs) => {
    const pages = paginateQuery(
      { client },
      {
        TableName: outputs.BarksTable,
        KeyConditionExpression: 'dog = :dog',
        ExpressionAttributeValues: { ':dog': { S: dog } },
        ConsistentRead: true,
      },
    );
    const items: Record<string, unknown>[] = [];
    for await (const { Items = [] } of pages) items.push(...Items.map((item) => unmarshall(item)));
    return items.filter(({ sk }) => !String(sk).startsWith('l#'));
  });
}

export function dogItemOf(directory: string, id: string): Promise<Record<string, unknown>> {
  return withDatabase(directory, async (client, outputs) => {
    const key = { TableName: outputs.DogsTable, Key: { id: { S: id } }, ConsistentRead: true };
    const { Item = {} } = await client.send(new GetItemCommand(key));
    return unmarshall(Item);
  });
}

/** Puts an item whose attributes are all strings into the table of barks. */
export async function putItem(directory: string, item: Readonly<Record<string, string>>): Promise<void> {
  const Item = Object.fromEntries(Object.entries(item).map(([name, S]) => [name, { S }]));
  await withDatabase(directory, (client, outputs) =>
    client.send(new PutItemCommand({ TableName: outputs.BarksTable, Item })),
  );
}
