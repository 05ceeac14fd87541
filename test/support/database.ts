import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { createTables, HttpDatabase, ItemReader, type ReadRequest } from '@rest-actions/local-cloud/database';
import { database } from '../../lambdas/domain/platform/dynamodb.ts';
import { closeFile, openFile, rowsOf } from './database-file.ts';
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

/** Responds as the database's server does, but many times as fast. Returns undefined if only the server can respond. */
export function readFile(operation: string, request: ReadRequest): string | undefined {
  return reader.read(operation, request);
}

export function itemsIn(table: string | undefined, partition: string): Record<string, unknown>[] {
  const rows = rowsOf(`SELECT item_json FROM "${table}" WHERE pk = ? ORDER BY sk`, `S:${partition}`);
  return rows.map(({ item_json }) => unmarshall(JSON.parse(String(item_json))));
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
    openFile(file);
    const { DogsTable, BarksTable, AccessTable } = template.outputs;
    Object.assign(process.env, {
      DOGS_TABLE: DogsTable,
      BARKS_TABLE: BarksTable,
      ACCESS_TABLE: AccessTable,
      ...barkEnvironment,
      TOKEN_ISSUER: 'urn:dogs:000000000000:us-east-1:test',
      SIGNING_KEY_SECRET: 'signing-key',
      EVENT_BUS: 'dogs-test', // @extension events
      EVENT_SOURCE: 'https://dogs.example', // @extension events
    });
  });

  afterAll(async () => {
    reader.close();
    closeFile();
    await server.stop();
    rmSync(directory, { recursive: true });
  });
}
