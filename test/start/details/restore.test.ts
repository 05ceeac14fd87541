import { BatchWriteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { eventually } from '@rest-actions/local-cloud/testing';
import { commandRunner } from '../../bin/cli/runner.ts';
import { documentOf } from '../../support/client.ts';
import { createTableLike } from '../filled-tables.ts';
import { client, useService } from '../support.ts';
import { itemsOf, withDatabase } from '../tables.ts';

const directory = useService();

const path = '/v1/dogs/rex/';
const shown = async (dog: string) => documentOf<object>(await client.get(dog));

/** Copies a table unchanged under another name, as a restore to this moment would. */
async function restore(output: string, name: string): Promise<string> {
  await createTableLike(directory, output, name);
  await withDatabase(directory, async (database, outputs) => {
    const { Items = [] } = await database.send(
      new ScanCommand({ TableName: outputs[output], ConsistentRead: true }),
    );
    for (let i = 0; i < Items.length; i += 25) {
      const puts = Items.slice(i, i + 25).map((Item) => ({ PutRequest: { Item } }));
      await database.send(new BatchWriteItemCommand({ RequestItems: { [name]: puts } }));
    }
  });
  return name;
}

process.env.DATA_DIR = directory;
const { json: operate } = commandRunner();

test('tables fill restores a deleted dog with its barks and its schedule, and changes nothing else', async () => {
  await client.put(path, { barkEffects: ['record'] });
  for (let i = 0; i < 5; i++) await client.post('/v1/dogs/rex/barks');
  const next = Math.floor(Date.now() / 1000) + 3600;
  await client.post('/v1/dogs/rex/bark-schedule', { token: 1, next, frequency: 10 });
  const before = await shown(path);
  const barks = await itemsOf(directory, 'rex');
  const [dogs, history] = [
    await restore('DogsTable', 'DogService-prod-restored-dogs'),
    await restore('BarksTable', 'DogService-prod-restored-barks'),
  ];

  await client.delete(path);
  await eventually(async () => expect(await itemsOf(directory, 'rex')).toEqual([]));
  await client.post('/v1/dogs/record-sync/barks');
  const other = await shown('/v1/dogs/record-sync/');

  expect((await operate(`tables fill dogs ${dogs}`)).written).toBe(1);
  expect(await operate(`tables fill barks ${history}`)).toEqual({
    written: barks.length,
    kept: expect.any(Number),
  });
  expect(await shown(path)).toEqual(before);
  expect(await itemsOf(directory, 'rex')).toEqual(barks);
  expect(await shown('/v1/dogs/record-sync/')).toEqual(other);

  expect(await operate('schedules repair')).toMatchObject({ repaired: 1 });
});
