import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { database } from '../../lambdas/domain/platform/dynamodb.ts';
import { ItemReader, type ReadRequest } from '../../local/dynamodb/item-reader.ts';
import { createTables } from '../../local/dynamodb/tables.ts';
import { HttpDatabase } from '../../tools/http-database.ts';
import { barkEnvironment } from './environment.ts';
import { newFastDirectory } from './fast-directory.ts';
import { synthesizedAssembly } from './of-worker.ts';

const reads = /^(GetItem|Query|Scan)Command$/;

/**
 * Makes the functions' eventually consistent reads fail. The embedded database never returns stale data, so tests would not
 * reveal them otherwise.
 *
 * @see {@link https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html}
 */
function refuseStaleReads(): void {
  database.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (reads.test(commandName) && !(args.input as { ConsistentRead?: boolean }).ConsistentRead)
          throw new Error(`${commandName} has no ConsistentRead, so it can return stale data.`);
        return next(args);
      },
    { step: 'initialize', name: 'refuseStaleReads' },
  );
}

let reader: ItemReader;

/** Reads from the database's file, many times as fast as with a call. Undefined if only the database process can respond. */
export function readFile(operation: string, request: ReadRequest): string | undefined {
  return reader.read(operation, request);
}

export function readItems(operation: 'GetItem' | 'Query', request: ReadRequest): Record<string, unknown>[] {
  const { Item, Items = Item ? [Item] : [] } = JSON.parse(readFile(operation, request) ?? 'null');
  return Items.map((item: Parameters<typeof unmarshall>[0]) => unmarshall(item));
}

/** Starts a database with the tables of the template for the tests of a file, and makes the functions use it. */
export function useDatabase(): void {
  const directory = newFastDirectory();
  const file = join(directory, 'dynamodb.sqlite');
  const server = new HttpDatabase(file);

  beforeAll(async () => {
    refuseStaleReads();
    await server.start();
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_DYNAMODB: server.url,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    });
    const { template } = synthesizedAssembly();
    await createTables(new DynamoDBClient(), template);
    reader = new ItemReader(file);
    const { DogsTable, BarksTable, AccessTable } = template.outputs;
    Object.assign(process.env, {
      DOGS_TABLE: DogsTable,
      BARKS_TABLE: BarksTable,
      ACCESS_TABLE: AccessTable,
      ...barkEnvironment,
      TOKEN_ISSUER: 'urn:dogs:000000000000:us-east-1:test',
      SIGNING_KEY_SECRET: 'signing-key',
      EVENT_BUS: 'dogs-test',
      EVENT_SOURCE: 'https://dogs.example',
    });
  });

  afterAll(async () => {
    reader.close();
    await server.stop();
    rmSync(directory, { recursive: true });
  });
}
