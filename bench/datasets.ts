import { execFile } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { marshall } from '@aws-sdk/util-dynamodb';
import { databaseExecutable } from '../local/dynamodb/database-process.ts';
import type { Template } from '../local/template/template.ts';
import { HttpDatabase } from '../tools/http-database.ts';
import { synthesize } from '../tools/synthesis.ts';
import { barkItem, dogItem } from './items.ts';

/** All barks belong to the first dog. */
export interface Dataset {
  readonly name: string;
  readonly dogs: number;
  readonly barks: number;
}

/** Maps each of a dataset's tables to the template output that names the corresponding table. */
const kinds = { Dogs: 'DogsTable', Barks: 'BarksTable' } as const;

export function tableOf({ name }: Dataset, kind: keyof typeof kinds): string {
  return `${name}-${kind}`;
}

export interface DatasetServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts an embedded database that contains the datasets. Importing them in DynamoDB's export format is much faster than writing
 * each item.
 */
export async function startDatasets(datasets: readonly Dataset[]): Promise<DatasetServer> {
  const directory = mkdtempSync(join(tmpdir(), 'dogs-bench-'));
  const output = join(directory, 'cdk.out');
  const { template } = await synthesize({ project: '.', settings: {}, directory: output, inputs: [] });
  const source = join(directory, 'export');
  for (const dataset of datasets) {
    await write(
      source,
      tableOf(dataset, 'Dogs'),
      generate(dataset.dogs, (i) => dogItem(`dog-${i}`)),
    );
    await write(
      source,
      tableOf(dataset, 'Barks'),
      generate(dataset.barks, (i) => barkItem('dog-0', i)),
    );
  }
  const schema = join(directory, 'schema.json');
  writeFileSync(schema, JSON.stringify(datasets.flatMap((dataset) => schemasOf(dataset, template))));
  const file = join(directory, 'dynamodb.sqlite');
  const options = ['--source', source, '--schema', schema, '--output', file];
  await promisify(execFile)(databaseExecutable(), ['import', ...options]);
  rmSync(source, { recursive: true });
  const embedded = new HttpDatabase(file);
  await embedded.start();
  return {
    url: embedded.url,
    stop: async () => {
      await embedded.stop();
      rmSync(directory, { recursive: true });
    },
  };
}

/** Describes a dataset's tables in the format of a DescribeTable response. */
function schemasOf(dataset: Dataset, template: Template): object[] {
  const tables = template.ofType('AWS::DynamoDB::Table');
  return Object.entries(kinds).map(([kind, output]) => {
    const like = tables.find((table) => template.idOf(table) === template.outputs[output]);
    const { KeySchema, AttributeDefinitions, BillingMode, StreamSpecification } = like?.properties ?? {};
    return {
      Table: {
        TableName: tableOf(dataset, kind as keyof typeof kinds),
        KeySchema,
        AttributeDefinitions,
        BillingModeSummary: { BillingMode },
        ...(StreamSpecification && { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } }),
      },
    };
  });
}

/** Writes items in DynamoDB's export format: a compressed file with a line of JSON for each item. */
async function write(source: string, table: string, items: Iterable<object>): Promise<void> {
  const directory = join(source, table, 'data');
  mkdirSync(directory, { recursive: true });
  await pipeline(
    Readable.from(linesOf(items)),
    createGzip({ level: 1 }),
    createWriteStream(join(directory, 'items.json.gz')),
  );
}

/** Generates chunks of a thousand lines, because writing each line separately takes longer. */
function* linesOf(items: Iterable<object>): Generator<string> {
  let lines: string[] = [];
  for (const item of items) {
    lines.push(`${JSON.stringify({ Item: marshall(item) })}\n`);
    if (lines.length < 1_000) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

function* generate<Item>(count: number, make: (i: number) => Item): Generator<Item> {
  for (let i = 0; i < count; i++) yield make(i);
}
