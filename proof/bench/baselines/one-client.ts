import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';

const client = new DynamoDBClient({});

export const handler = async () => {
  const { Item } = await client.send(
    new GetItemCommand({ TableName: process.env.DOGS_TABLE, Key: { id: { S: 'record-sync' } } }),
  );
  return { statusCode: 200, body: JSON.stringify(Item) };
};
