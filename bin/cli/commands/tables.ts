import {
  ConditionalCheckFailedException,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
  paginateScan,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { suggestionFor } from '../../../lib/suggestion.ts';
import type { Outputs } from '../deployment.ts';
import { CommandFailed, UsageError } from '../errors.ts';
import type { OperatorRun } from '../operator-group.ts';
import { protectTables } from '../protection.ts';

export const fill: OperatorRun = async ({ options, outputs, notice }, name: string, source: string) =>
  copyItems(tableNamed(name, outputs), source, { replace: options.replace === true, notice });

export const protect: OperatorRun = async ({ outputs }) => protectTables(outputs);

const outputOf: Readonly<Record<string, string>> = {
  dogs: 'DogsTable',
  barks: 'BarksTable',
  access: 'AccessTable',
};

function tableNamed(name: string, outputs: Outputs): string {
  const table = outputs[outputOf[name] ?? ''];
  if (table !== undefined) return table;
  const names = Object.keys(outputOf);
  throw new UsageError(
    `Unknown table "${name}".${suggestionFor(name, names)} The tables are: ${names.join(', ')}.`,
  );
}

const concurrency = 50;

/** The number of items between two progress notices. */
const reportInterval = 10_000;

/**
 * Safe to stop and to run again.
 *
 * @param options `replace` overwrites existing items, which the command otherwise keeps. `notice` receives the progress
 * @throws UsageError if the tables are the same, or if their keys differ
 * @throws CommandFailed if one of the tables does not exist or is not active
 */
async function copyItems(
  TableName: string,
  source: string,
  { replace, notice }: { readonly replace: boolean; readonly notice: (line: string) => void },
): Promise<{ written: number; kept: number }> {
  if (source === TableName)
    throw new UsageError(`${source} is the table to fill. Name another table to copy from.`);
  const client = new DynamoDBClient({ maxAttempts: 10 });
  const keys = await keysOf(TableName, client);
  if (String(await keysOf(source, client)) !== String(keys))
    throw new UsageError(
      `The keys of the table ${source} differ from those of ${TableName}, which are ${keys.join(', ')}. Name another table.`,
    );
  const condition = {
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': keys[0] ?? '' },
  };
  const put = (Item: Item) =>
    isWritten(client.send(new PutItemCommand({ TableName, Item, ...(!replace && condition) })));
  const counts = { written: 0, kept: 0 };
  for await (const { Items = [] } of paginateScan({ client }, { TableName: source, ConsistentRead: true }))
    for (let i = 0; i < Items.length; i += concurrency) {
      const outcomes = await Promise.all(Items.slice(i, i + concurrency).map(put));
      const written = outcomes.filter(Boolean).length;
      counts.written += written;
      counts.kept += outcomes.length - written;
      if ((counts.written + counts.kept) % reportInterval < outcomes.length)
        notice(`Progress: ${counts.written} items written, ${counts.kept} kept.`);
    }
  return counts;
}

type Item = NonNullable<PutItemCommandInput['Item']>;

/** Resolves to false if the item already existed. */
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
    throw new CommandFailed(
      `The table ${TableName} does not exist in this account and region. Check its name and AWS_REGION.`,
    );
  });
  if (Table?.TableStatus !== 'ACTIVE')
    throw new CommandFailed(
      `The table ${TableName} is not active: its status is ${Table?.TableStatus}. Try again later.`,
    );
  return (Table.KeySchema ?? []).map(({ AttributeName = '' }) => AttributeName);
}
