import { CreateTableCommand, DescribeTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { withDatabase } from './tables.ts';

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

/** Puts an item whose attributes are all strings into the table of barks. */
export async function putItem(directory: string, item: Readonly<Record<string, string>>): Promise<void> {
  const Item = Object.fromEntries(Object.entries(item).map(([name, S]) => [name, { S }]));
  await withDatabase(directory, (client, outputs) =>
    client.send(new PutItemCommand({ TableName: outputs.BarksTable, Item })),
  );
}
