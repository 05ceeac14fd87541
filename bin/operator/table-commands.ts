import {
  ConditionalCheckFailedException,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  paginateScan,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import type { Command } from './command.ts';
import type { Outputs } from './deployment.ts';
import { UsageError } from './usage.ts';

export const tableCommands: Readonly<Record<string, Command>> = {
  'tables fill': async ({ options, outputs }, name: string, source: string) =>
    fillTable(tableNamed(name, outputs), source, options),
};

const outputOf: Readonly<Record<string, string>> = {
  dogs: 'DogsTable',
  barks: 'BarksTable',
  access: 'AccessTable',
};

function tableNamed(name: string, outputs: Outputs): string {
  const table = outputs[outputOf[name] ?? ''];
  if (table !== undefined) return table;
  throw new UsageError(`There is no table "${name}", but: ${Object.keys(outputOf).join(', ')}.`);
}

/** How many items are written at once. */
const atOnce = 25;

/**
 * Puts the items of one table into another, such as those of a restored one. It may be stopped anywhere and run again.
 *
 * @param options `replace` overwrites items that are there; else they are kept
 * @throws UsageError if a table is not there, or their keys differ
 */
async function fillTable(
  TableName: string,
  source: string,
  { replace }: { readonly replace: boolean },
): Promise<{ written: number; kept: number }> {
  const client = new DynamoDBClient();
  const keys = await keysOf(TableName, client);
  if (String(await keysOf(source, client)) !== String(keys))
    throw new UsageError(`The table ${source} has other keys than ${TableName}: ${keys.join(', ')}.`);
  const condition = {
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': keys[0] ?? '' },
  };
  const counts = { written: 0, kept: 0 };
  const pages = paginateScan({ client, pageSize: atOnce }, { TableName: source, ConsistentRead: true });
  for await (const { Items = [] } of pages) {
    const written = Items.map((Item) =>
      client.send(new PutItemCommand({ TableName, Item, ...(!replace && condition) })).then(
        () => true,
        (error) => {
          if (error instanceof ConditionalCheckFailedException) return false;
          throw error;
        },
      ),
    );
    for (const isWritten of await Promise.all(written)) counts[isWritten ? 'written' : 'kept'] += 1;
  }
  return counts;
}

async function keysOf(TableName: string, client: DynamoDBClient): Promise<string[]> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName })).catch((error) => {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    throw new UsageError(`There is no table ${TableName} in this account and region.`);
  });
  return (Table?.KeySchema ?? []).map(({ AttributeName = '' }) => AttributeName);
}
