import { DeleteTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Outputs } from '../../../bin/cli/deployment.ts';
import { protectTables } from '../../../bin/cli/protection.ts';
import { useDatabase } from '../../support/database.ts';
import { stackOutputs } from '../../support/stack-outputs.ts';

useDatabase();

let outputs: Outputs;

beforeEach(() => {
  outputs = stackOutputs();
});

/** Returns the deletion protection of each table. */
async function areProtected(): Promise<(boolean | undefined)[]> {
  const database = new DynamoDBClient();
  return Promise.all(
    [outputs.DogsTable, outputs.BarksTable, outputs.AccessTable].map(async (TableName) => {
      const { Table } = await database.send(new DescribeTableCommand({ TableName }));
      return Table?.DeletionProtectionEnabled;
    }),
  );
}

test('protectTables protects the tables, and can be called again', async () => {
  expect(await areProtected()).toEqual([false, false, false]);
  const are = (state: string) => ({ DogsTable: state, BarksTable: state, AccessTable: state });
  expect(await protectTables(outputs)).toEqual(are('protected now'));
  expect(await areProtected()).toEqual([true, true, true]);
  expect(await protectTables(outputs)).toEqual(are('was protected'));
});

test('DynamoDB refuses to delete a protected table, so a rollback could not delete it either', async () => {
  await expect(
    new DynamoDBClient().send(new DeleteTableCommand({ TableName: outputs.DogsTable })),
  ).rejects.toThrow('protected against deletion');
});
