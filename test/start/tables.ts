import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { readJson } from './support.ts';

interface Operator {
  readonly client: {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  readonly outputs: Readonly<Record<string, string>>;
}

/** The keys of what the table of barks holds of a dog, in whatever life of it. */
export async function itemsOf(directory: string, dog: string): Promise<string[]> {
  const { client: settings, outputs } = readJson<Operator>(directory, 'operator.json');
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
