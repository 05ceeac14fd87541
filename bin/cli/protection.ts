import { DescribeTableCommand, DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import type { Outputs } from './deployment.ts';

const tables = ['DogsTable', 'BarksTable', 'AccessTable'] as const;

type Protection = Readonly<Record<string, 'protected now' | 'was protected'>>;

/**
 * The template cannot turn on deletion protection: if the first deployment failed, CloudFormation could not delete the protected
 * tables, and the rollback would fail. Safe to call again.
 *
 * @returns for each table, by the name of its output, whether it was protected before
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
