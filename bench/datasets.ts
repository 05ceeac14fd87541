import { execFile } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { marshall } from '@aws-sdk/util-dynamodb';
import { databaseProgram, EmbeddedDatabase } from '../local/dynamodb/database.ts';
import { synthesize } from '../local/template/synthesize.ts';
import type { Template } from '../local/template/template.ts';
import { barkItem, dogItem } from './items.ts';

/** Tables that hold so many dogs, of which the first has so many barks. */
export interface World {
  readonly name: string;
  readonly dogs: number;
  readonly barks: number;
}

/** What tables are called in a world, and which of the template's they are like. */
const kinds = { Dogs: 'DogsTable', Barks: 'BarksTable' } as const;

export function tableOf({ name }: World, kind: keyof typeof kinds): string {
  return `${name}-${kind}`;
}

/** An embedded database that holds worlds. */
export interface Worlds {
  readonly url: string;
  stop(): Promise<void>;
}

/** Fills a database with worlds: by what its program reads exports of DynamoDB with, which is far faster than writes. */
export async function startWorlds(worlds: readonly World[]): Promise<Worlds> {
  const directory = mkdtempSync(join(tmpdir(), 'dogs-bench-'));
  const { template } = await synthesize({}, join(directory, 'cdk.out'));
  const source = join(directory, 'export');
  for (const world of worlds) {
    await write(
      source,
      tableOf(world, 'Dogs'),
      some(world.dogs, (i) => dogItem(`dog-${i}`)),
    );
    await write(
      source,
      tableOf(world, 'Barks'),
      some(world.barks, (i) => barkItem('dog-0', i)),
    );
  }
  const schema = join(directory, 'schema.json');
  writeFileSync(schema, JSON.stringify(worlds.flatMap((world) => schemasOf(world, template))));
  const file = join(directory, 'dynamodb.sqlite');
  const options = ['--source', source, '--schema', schema, '--output', file];
  await promisify(execFile)(databaseProgram(), ['import', ...options]);
  rmSync(source, { recursive: true });
  const embedded = new EmbeddedDatabase(file, console.error);
  await embedded.start();
  return {
    url: embedded.url,
    stop: async () => {
      await embedded.stop();
      rmSync(directory, { recursive: true });
    },
  };
}

/** Tables as DescribeTable tells them. */
function schemasOf(world: World, template: Template): object[] {
  const tables = template.ofType('AWS::DynamoDB::Table');
  return Object.entries(kinds).map(([kind, output]) => {
    const like = tables.find((table) => template.idOf(table) === template.outputs[output]);
    const { KeySchema, AttributeDefinitions, BillingMode, StreamSpecification } = like?.properties ?? {};
    return {
      Table: {
        TableName: tableOf(world, kind as keyof typeof kinds),
        KeySchema,
        AttributeDefinitions,
        BillingModeSummary: { BillingMode },
        ...(StreamSpecification && { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } }),
      },
    };
  });
}

/** Writes items as DynamoDB exports them: a line of JSON for each. */
async function write(source: string, table: string, items: Iterable<object>): Promise<void> {
  const directory = join(source, table, 'data');
  mkdirSync(directory, { recursive: true });
  await pipeline(
    Readable.from(linesOf(items)),
    createGzip({ level: 1 }),
    createWriteStream(join(directory, 'items.json.gz')),
  );
}

/** Lines by the thousand: a stream of single ones takes longer. */
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

function* some<Item>(count: number, make: (i: number) => Item): Generator<Item> {
  for (let i = 0; i < count; i++) yield make(i);
}
