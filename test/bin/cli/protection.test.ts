import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DeleteTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Outputs } from '../../../bin/cli/deployment.ts';
import { CommandFailed } from '../../../bin/cli/errors.ts';
import { protectDeployedTables } from '../../../bin/cli/protection.ts';
import { useDatabase } from '../../support/database.ts';
import { mockClient } from '../../support/mock-client.ts';
import { describedStack, stackOutputs } from '../../support/stack-outputs.ts';

useDatabase();

const cloudFormation = mockClient(CloudFormationClient);
const assembly = mkdtempSync(join(tmpdir(), 'assembly-'));
afterAll(() => rmSync(assembly, { recursive: true }));

let outputs: Outputs;

beforeEach(() => {
  outputs = stackOutputs();
  cloudFormation.reset();
  cloudFormation
    .on(DescribeStacksCommand, { StackName: 'DogService-prod' })
    .resolves(describedStack(outputs));
});

/** Writes the manifest that `cdk deploy` creates in cdk.out. */
function writeManifest(terminationProtection: boolean): void {
  const artifacts = {
    'DogService-prod.assets': { type: 'cdk:asset-manifest', properties: {} },
    'DogService-prod': { type: 'aws:cloudformation:stack', properties: { terminationProtection } },
  };
  writeFileSync(join(assembly, 'manifest.json'), JSON.stringify({ artifacts }));
}

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

describe('protectDeployedTables', () => {
  test('does not change the tables of a stage without deletion protection', async () => {
    writeManifest(false);
    expect(await protectDeployedTables(assembly)).toEqual([]);
    expect(await areProtected()).toEqual([false, false, false]);
  });

  test('protects the tables of a deployed stage', async () => {
    writeManifest(true);
    const are = (state: string) => ({ DogsTable: state, BarksTable: state, AccessTable: state });
    const protectedNow = { stack: 'DogService-prod', ...are('protected now') };
    expect(await protectDeployedTables(assembly)).toEqual([protectedNow]);
    expect(await areProtected()).toEqual([true, true, true]);
  });
});

test('DynamoDB refuses to delete a protected table, so a rollback could not delete it either', async () => {
  await expect(
    new DynamoDBClient().send(new DeleteTableCommand({ TableName: outputs.DogsTable })),
  ).rejects.toThrow('protected against deletion');
});

test('protectDeployedTables throws CommandFailed for a missing cloud assembly', async () => {
  await expect(protectDeployedTables(join(assembly, 'missing'))).rejects.toThrow(
    new CommandFailed(
      `There is no cloud assembly in ${join(assembly, 'missing')}. Run npm run deploy first.`,
    ),
  );
});
