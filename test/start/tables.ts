import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { operatorAccess } from './operator-access.ts';

/** The keys of what the table of barks holds of a dog, in whatever life of it. */
export async function itemsOf(directory: string, dog: string): Promise<string[]> {
  const { client: settings, outputs } = operatorAccess(directory);
  const client = new DynamoDBClient(settings);
  try {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: outputs.BarksTable,
        KeyConditionExpression: 'dog = :dog',
        ExpressionAttributeValues: { ':dog': { S: dog } },
        ConsistentRead: true,
      }),
    );
    return Items.map(({ sk }) => sk?.S ?? '');
  } finally {
    client.destroy();
  }
}
