import { firstDogs } from '../../bin/start/first-dogs.ts';
import { allOf, type Dog, eventually } from '../support/client.ts';
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

test('a start after kill -9 purges a dog that was deleted just before', async () => {
  await client.put(path, {});
  await client.post(`${path}barks`);
  await client.delete(path);
  await kill9();
  await eventually(async () => expect(databasesOn(directory)).toEqual([]));
  await restart(directory);
  expect((await client.get(path)).status).toBe(404);
  await eventually(async () => expect(await itemsOf(directory, 'rex')).toEqual([]));
});

test('the service ends within seconds, even if clients continue to send over their connections', async () => {
  await client.put(path, {});
  let responses = 0;
  const send = async () => {
    for (;;) {
      if (!(await client.sendOnce('POST', `${path}barks`).catch(() => undefined))) return;
      responses += 1;
    }
  };
  for (let i = 0; i < 8; i += 1) void send();
  await eventually(async () => expect(responses).toBeGreaterThanOrEqual(20), { interval: 5 });
  expect(await endOf(service, () => service.process.kill('SIGTERM'))).toEqual({ code: 0, soon: true });
});
