import { eventually } from '@rest-actions/local-cloud/testing';
import { firstDogs } from '../../bin/start/first-dogs.ts';
import { allOf, type Bark, type Dog, dogAt, header } from '../support/client.ts';
import {
  client,
  databasesOn,
  endOf,
  kill9,
  launch,
  restart,
  service,
  temporaryDirectory,
} from './support.ts';
import { itemsOf } from './tables.ts';

const directory = temporaryDirectory();
const path = '/v1/dogs/rex/';

/** Makes a dog bark over several connections until its requests get no response. Waits until this many barks are recorded. */
async function load(records: number) {
  /** The URLs of the recorded barks, from the responses of the service. */
  const recorded: string[] = [];
  const statuses = new Set<number>();
  const loop = async () => {
    for (;;) {
      const response = await client.sendOnce('POST', `${path}barks`).catch(() => undefined);
      if (!response) return;
      statuses.add(response.status);
      recorded.push(header(response, 'Location'));
    }
  };
  const ended = Promise.all(Array.from({ length: 8 }, loop));
  await eventually(async () => expect(recorded.length).toBeGreaterThanOrEqual(records), { interval: 5 });
  return { recorded, statuses, ended };
}

test('a start completes a first start that was killed', async () => {
  const killed = launch(directory);
  await killed.says(/Creating the first/);
  killed.process.kill('SIGKILL');
  await killed.exited;
  await restart(directory);
  const dogs = await allOf<Dog>(client, '/v1/dogs/');
  expect(dogs.map(({ id }) => id).sort()).toEqual(Object.keys(firstDogs).sort());
  expect(databasesOn(directory)).toHaveLength(1);
});

test('kill -9 during barks loses no bark that the service confirmed, and duplicates none', async () => {
  await client.put(path, {});
  await client.put('/v1/dogs/gone/', {});
  await client.post('/v1/dogs/gone/barks');
  const { recorded, statuses, ended } = await load(200);
  await client.delete('/v1/dogs/gone/');
  const before = client.baseUrl;
  await kill9();
  await ended;
  await eventually(async () => expect(databasesOn(directory)).toEqual([]));

  await restart(directory);
  expect([...statuses]).toEqual([201]);
  const { barkCount } = await dogAt(client, path);
  const barks = await allOf<Bark>(client, `${path}barks?limit=100`);
  const locations = barks.map(({ id }) => `${before}${path}barks/${id}`);
  expect(locations).toEqual(expect.arrayContaining(recorded));
  expect(new Set(locations).size).toBe(locations.length);
  expect(barkCount).toBe(locations.length);
});

test('a start after kill -9 purges a dog that was deleted just before', async () => {
  expect((await client.get('/v1/dogs/gone/')).status).toBe(404);
  await eventually(async () => expect(await itemsOf(directory, 'gone')).toEqual([]));
});

test('the service ends within seconds, even if clients continue to send over their connections', async () => {
  await load(20);
  expect(await endOf(service, () => service.process.kill('SIGTERM'))).toEqual({ code: 0, soon: true });
});
