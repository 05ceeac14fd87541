import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';

const client = new DynamoDBClient({});

/** A simple function with one SDK client and one call. */
export const handler = async () => {
  const { Item } = await client.send(
    new GetItemCommand({ TableName: process.env.DOGS_TABLE, Key: { id: { S: 'record-sync' } } }),
  );
  return { statusCode: 200, body: JSON.stringify(Item) };
};
