import { DynamoDBClient, GetItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type OperatorAccess, operatorAccess, withClient } from './operator-access.ts';

function withDatabase<Result>(
  directory: string,
  work: (client: DynamoDBClient, outputs: OperatorAccess['outputs']) => Promise<Result>,
): Promise<Result> {
  return withClient(DynamoDBClient, directory, (client) => work(client, operatorAccess(directory).outputs));
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

export { withDatabase }; // @extension cli|verify
