import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { Service } from '../../tools/service.ts';
import { Client, documentOf, eventually } from '../support/client.ts';
import { operatorAccess } from './operator-access.ts';
import { linesOf, runCommand, start, temporaryDirectory } from './support.ts';
import { itemsOf } from './tables.ts';

const directory = temporaryDirectory();
let service: Service;
let client: Client;
let database: DynamoDBClient;

beforeAll(async () => {
  service = await start(directory, { settings: ['authorizerCacheSeconds=0'] });
  client = new Client(service.access);
  database = new DynamoDBClient(operatorAccess(directory).client);
});
afterAll(() => database.destroy());

const path = '/v1/dogs/rex/';
const shown = async (dog: string) => documentOf<object>(await client.get(dog));

/** Copies a table unchanged under another name, as a restore to this moment would. */
async function restore(output: string, name: string): Promise<string> {
  const TableName = operatorAccess(directory).outputs[output];
  const { Table } = await database.send(new DescribeTableCommand({ TableName }));
  const { KeySchema, AttributeDefinitions } = Table ?? {};
  await database.send(
    new CreateTableCommand({
      TableName: name,
      KeySchema,
      AttributeDefinitions,
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  const { Items = [] } = await database.send(new ScanCommand({ TableName, ConsistentRead: true }));
  for (let i = 0; i < Items.length; i += 25) {
    const puts = Items.slice(i, i + 25).map((Item) => ({ PutRequest: { Item } }));
    await database.send(new BatchWriteItemCommand({ RequestItems: { [name]: puts } }));
  }
  return name;
}

const fill = async (table: string, from: string, ...options: string[]) => {
  const { code, stdout, stderr } = await runCommand(
    directory,
    'tables',
    'fill',
    table,
    from,
    '--json',
    ...options,
  );
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as { written: number; kept: number };
};

test('tables fill restores a deleted dog with its barks and its schedule, and changes nothing else', async () => {
  await client.put(path, { barkEffects: ['record'] });
  for (let i = 0; i < 30; i++) await client.post('/v1/dogs/rex/barks');
  const next = Math.floor(Date.now() / 1000) + 3600;
  await client.post('/v1/dogs/rex/bark-schedule', { token: 1, next, frequency: 10 });
  const before = await shown(path);
  const barks = await itemsOf(directory, 'rex');
  const [dogs, notes] = [
    await restore('DogsTable', 'DogService-prod-restored-dogs'),
    await restore('BarksTable', 'DogService-prod-restored-barks'),
  ];

  await client.delete(path);
  await eventually(async () => expect(await itemsOf(directory, 'rex')).toEqual([]));
  await client.post('/v1/dogs/record-sync/barks');
  const other = await shown('/v1/dogs/record-sync/');

  expect((await fill('dogs', dogs)).written).toBe(1);
  expect(await fill('barks', notes)).toEqual({ written: barks.length, kept: expect.any(Number) });
  expect(await shown(path)).toEqual(before);
  expect(await itemsOf(directory, 'rex')).toEqual(barks);
  expect(await shown('/v1/dogs/record-sync/')).toEqual(other);

  const { stdout } = await runCommand(directory, 'schedules', 'repair', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ repaired: 1 });
});

test('a repeated tables fill writes nothing, and with --replace it writes the items of the restored table', async () => {
  const then = await restore('AccessTable', 'DogService-prod-restored-access');
  const { username } = JSON.parse(
    (await runCommand(directory, 'users', 'create', 'ann', '--reveal', '--json')).stdout,
  );
  const later = await restore('AccessTable', 'DogService-prod-restored-later');
  const known = await fill('access', then);
  expect(known.written).toBe(0);
  await runCommand(directory, 'users', 'rotate', username, '--yes', '--reveal');
  expect(await fill('access', later)).toEqual({ written: 0, kept: known.kept + 1 });
  expect(await fill('access', later, '--replace', '--yes')).toEqual({ written: known.kept + 1, kept: 0 });
});

test('with --replace, tables fill dogs restores changed dogs, and a dog that was created again', async () => {
  const dogs = ['/v1/dogs/tess/', '/v1/dogs/max/'];
  for (const dog of dogs) {
    await client.put(dog, { barkEffects: ['record'] });
    await client.post(`${dog}barks`);
  }
  const before = await Promise.all(dogs.map(shown));
  const barks = await itemsOf(directory, 'max');
  const [restoredDogs, restoredBarks] = [
    await restore('DogsTable', 'DogService-prod-restored-changed-dogs'),
    await restore('BarksTable', 'DogService-prod-restored-changed-barks'),
  ];

  await client.put('/v1/dogs/tess/', { barkEffects: ['count'] });
  await client.delete('/v1/dogs/max/');
  await eventually(async () => expect(await itemsOf(directory, 'max')).toEqual([]));
  await client.put('/v1/dogs/max/', { barkEffects: ['record'] });
  await client.post('/v1/dogs/max/barks');

  await fill('dogs', restoredDogs, '--replace', '--yes');
  await fill('barks', restoredBarks);
  expect(await Promise.all(dogs.map(shown))).toEqual(before);
  await runCommand(directory, 'orphans', 'purge', '--yes');
  expect(await itemsOf(directory, 'max')).toEqual(barks);
});

test.each([
  [
    ['cats', 'DogService-prod-restored-barks'],
    2,
    'Unknown table "cats". The tables are: dogs, barks, access.',
  ],
  [
    ['dogs', 'DogService-prod-restored-nowhere'],
    1,
    'The table DogService-prod-restored-nowhere does not exist in this account and region. Check its name and AWS_REGION.',
  ],
  [
    ['dogs', 'DogService-prod-restored-barks'],
    2,
    expect.stringMatching(
      /^The keys of the table DogService-prod-restored-barks differ from those of .*, which are id\. Name another table\.$/,
    ),
  ],
])('tables fill %j is refused with the reason', async (names, exitCode, reason) => {
  const { code, stderr } = await runCommand(directory, 'tables', 'fill', ...names);
  expect([code, linesOf(stderr)]).toEqual([exitCode, [reason]]);
});
