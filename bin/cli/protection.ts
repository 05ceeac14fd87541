import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeTableCommand, DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { type Outputs, useDeployment } from './deployment.ts';
import { CommandFailed } from './errors.ts';

const tables = ['DogsTable', 'BarksTable', 'AccessTable'] as const;

type Protection = Readonly<Record<string, 'protected now' | 'was protected'>>;

/**
 * Turns on DynamoDB's deletion protection for the tables of a stack. The template cannot turn it on: if the first
 * deployment failed, CloudFormation could not delete the protected tables, and the rollback would fail. Safe to call
 * again: a table that is protected is not updated.
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

/**
 * Protects the tables of each stack that the CDK deployed from a cloud assembly, if the stack has termination
 * protection. Termination protection follows the setting `deletionProtection`.
 *
 * @param assembly the directory that the CDK synthesized into
 * @returns for each of these stacks, its name and what `protectTables` returned
 * @throws CommandFailed if there is no cloud assembly, or if a stack cannot be read or lacks an output
 */
export async function protectDeployedTables(assembly: string): Promise<object[]> {
  const stacks = Object.entries(readArtifacts(assembly)).filter(
    ([, { type, properties }]) => type === 'aws:cloudformation:stack' && properties?.terminationProtection,
  );
  const results: object[] = [];
  for (const [stack] of stacks) results.push({ stack, ...(await protectTables(await useDeployment(stack))) });
  return results;
}

interface Artifact {
  readonly type: string;
  readonly properties?: { readonly terminationProtection?: boolean };
}

function readArtifacts(assembly: string): Record<string, Artifact> {
  try {
    return JSON.parse(readFileSync(join(assembly, 'manifest.json'), 'utf8')).artifacts;
  } catch {
    throw new CommandFailed(`There is no cloud assembly in ${assembly}. Run npm run deploy first.`);
  }
}
