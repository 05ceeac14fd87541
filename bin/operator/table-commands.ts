import {
  ConditionalCheckFailedException,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
  paginateScan,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import type { Command } from './command-type.ts';
import type { Outputs } from './deployment.ts';
import { protectTables } from './protection.ts';
import { UsageError } from './usage.ts';

export const tableCommands: Readonly<Record<string, Command>> = {
  'tables fill': async ({ options, outputs }, name: string, source: string) =>
    fillTable(tableNamed(name, outputs), source, options),
  'tables protect': async ({ outputs }) => protectTables(outputs),
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
const atOnce = 50;

/** After how many items it is told how far it has come. */
const stride = 10_000;

/**
 * Puts the items of one table into another, such as those of a restored one. It may be stopped anywhere and run again:
 * what it has written it then keeps.
 *
 * @param options `replace` overwrites items that are there; else they are kept
 * @throws UsageError if a table is not there, or not ready, or if their keys differ
 */
async function fillTable(
  TableName: string,
  source: string,
  { replace }: { readonly replace: boolean },
): Promise<{ written: number; kept: number }> {
  if (source === TableName) throw new UsageError(`${source} is this table itself.`);
  const client = new DynamoDBClient({ maxAttempts: 10 });
  const keys = await keysOf(TableName, client);
  if (String(await keysOf(source, client)) !== String(keys))
    throw new UsageError(`The table ${source} has other keys than ${TableName}: ${keys.join(', ')}.`);
  const condition = {
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': keys[0] ?? '' },
  };
  const put = (Item: Item) =>
    isWritten(client.send(new PutItemCommand({ TableName, Item, ...(!replace && condition) })));
  const counts = { written: 0, kept: 0 };
  for await (const { Items = [] } of paginateScan({ client }, { TableName: source, ConsistentRead: true }))
    for (let i = 0; i < Items.length; i += atOnce) {
      const outcomes = await Promise.all(Items.slice(i, i + atOnce).map(put));
      const written = outcomes.filter(Boolean).length;
      counts.written += written;
      counts.kept += outcomes.length - written;
      if ((counts.written + counts.kept) % stride < outcomes.length)
        console.error(`${counts.written} items are written, and ${counts.kept} kept, so far.`);
    }
  return counts;
}

type Item = NonNullable<PutItemCommandInput['Item']>;

/** Whether an item was written; not, if it was there. */
function isWritten(put: Promise<unknown>): Promise<boolean> {
  return put.then(
    () => true,
    (error) => {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    },
  );
}

async function keysOf(TableName: string, client: DynamoDBClient): Promise<string[]> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName })).catch((error) => {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    throw new UsageError(`There is no table ${TableName} in this account and region.`);
  });
  if (Table?.TableStatus !== 'ACTIVE')
    throw new UsageError(`The table ${TableName} is not ready yet: ${Table?.TableStatus}.`);
  return (Table.KeySchema ?? []).map(({ AttributeName = '' }) => AttributeName);
}
