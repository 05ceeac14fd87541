import { DescribeTableCommand, DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import type { Outputs } from './deployment.ts';

const tables = ['DogsTable', 'BarksTable', 'AccessTable'] as const;

type Protection = Readonly<Record<string, 'protected now' | 'was protected'>>;

/**
 * The template does not turn on deletion protection: CloudFormation cannot delete protected tables, so it could not roll back a
 * failed first deployment. Safe to call again.
 *
 * @returns whether each table was already protected, by the name of its output
 */
export async function protectTables(outputs: Outputs): Promise<Protection> {
  const client = new DynamoDBClient();
  const result: Record<string, Protection[string]> = {};
  for (const output of tables) {
    const TableName = outputs[output];
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    const wasProtected = Table?.DeletionProtectionEnabled === true;
    if (!wasProtected)
      await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
    result[output] = wasProtected ? 'was protected' : 'protected now';
  }
  return result;
}
