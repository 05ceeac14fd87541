import { allOf, type Dog, eventually } from '../support/client.ts';
import {
  accountOf,
  client,
  databaseOn,
  databasesOn,
  endOf,
  firstDogs,
  kill9,
  Load,
  launch,
  restart,
  service,
  temporaryDirectory,
} from './support.ts';
import { itemsOf } from './tables.ts';

const directory = temporaryDirectory();
const path = '/v1/dogs/rex/';

test('a start completes a first start that was killed', async () => {
  const killed = launch(directory);
  await killed.says(/Creating the first/);
  killed.process.kill('SIGKILL');
  await killed.exited;
  await restart(directory);
  expect((await allOf<Dog>(client, '/v1/dogs/')).map(({ id }) => id).sort()).toEqual(firstDogs);
  expect(databaseOn(directory)).toBeGreaterThan(0);
});

test('kill -9 during barks loses no bark that the service confirmed, and duplicates none', async () => {
  await client.put(path, {});
  await client.put('/v1/dogs/gone/', {});
  await client.post('/v1/dogs/gone/barks');
  const load = new Load(client, path);
  await load.records(200);
  await client.delete('/v1/dogs/gone/');
  const before = client.baseUrl;
  await kill9();
  await load.ended();
  await eventually(async () => expect(databasesOn(directory)).toEqual([]));

  await restart(directory);
  expect([...load.statuses]).toEqual([201]);
  const recorded = load.recorded.map((url) => url.replace(before, client.baseUrl));
  const { barkCount, locations } = await accountOf(client, path);
  expect(locations).toEqual(expect.arrayContaining(recorded));
  expect(new Set(locations).size).toBe(locations.length);
  expect(barkCount).toBe(locations.length);
});

test('a start after kill -9 purges a dog that was deleted just before', async () => {
  expect((await client.get('/v1/dogs/gone/')).status).toBe(404);
  await eventually(async () => expect(await itemsOf(directory, 'gone')).toEqual([]));
});

test('the service restarts a database that dies under load, and keeps its data', async () => {
  const before = await accountOf(client, path);
  const database = databaseOn(directory);
  const load = new Load(client, path, 4);
  await load.records(20);
  process.kill(database, 'SIGKILL');
  await load.records(20);
  await load.stop();

  expect(databaseOn(directory)).not.toBe(database);
  // Requests fail while the database is down, but their barks may be complete.
  const failures = [...load.statuses].filter((status) => status !== 201);
  expect(failures.every((status) => status >= 500)).toBe(true);
  const { barkCount, locations } = await accountOf(client, path);
  expect(locations).toEqual(expect.arrayContaining([...before.locations, ...load.recorded]));
  expect(barkCount).toBe(locations.length);
  expect(service.output()).toContain('The database process died and is restarting.\n');
});

test('the service ends within seconds, even if clients continue to send over their connections', async () => {
  const load = new Load(client, path);
  await load.records(20);
  expect(await endOf(service, () => service.process.kill('SIGTERM'))).toEqual({ code: 0, soon: true });
});
