import { allOf, type Dog, eventually } from '../support/client.ts';
import { client, databasesOn, firstDogs, kill9, launch, restart, temporaryDirectory } from './support.ts';
import { itemsOf } from './tables.ts';

const directory = temporaryDirectory();

test('a start completes a first start that was killed', async () => {
  const killed = launch(directory);
  await killed.says(/Creating the first/);
  killed.process.kill('SIGKILL');
  await killed.exited;
  await restart(directory);
  expect((await allOf<Dog>(client, '/v1/dogs/')).map(({ id }) => id).sort()).toEqual(firstDogs);
});

// The test of the load shows that no confirmed bark is lost.
test('a start after kill -9 purges a dog that was deleted just before', async () => {
  await client.put('/v1/dogs/gone/', {});
  await client.post('/v1/dogs/gone/barks');
  await client.delete('/v1/dogs/gone/');
  await kill9();
  await eventually(async () => expect(databasesOn(directory)).toEqual([]));
  await restart(directory);
  expect((await client.get('/v1/dogs/gone/')).status).toBe(404);
  await eventually(async () => expect(await itemsOf(directory, 'gone')).toEqual([]));
});
