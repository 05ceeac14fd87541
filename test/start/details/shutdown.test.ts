import type { Service } from '../../../tools/service.ts';
import { databasesOn, endOf, launch, start, temporaryDirectory } from '../support.ts';

const directory = temporaryDirectory();

test.each([
  ['npm alone receives SIGTERM', (npm: Service) => npm.process.kill('SIGTERM')],
  ['its process group receives SIGINT, as from Ctrl-C', (npm: Service) => npm.signalGroup('SIGINT')],
])('npm start ends with all its processes when %s', async (_, signal) => {
  const npm = await start(directory, { command: ['npm', 'start', '--'], ownGroup: true });
  expect(databasesOn(directory)).toHaveLength(1);
  // npm returns the exit code of its shell, which depends on the shell.
  expect(await endOf(npm, () => signal(npm))).toMatchObject({ soon: true });
  expect(npm.output()).toContain('Stopped. All state is in');
  expect(npm.output()).not.toContain('Warning');
  expect(databasesOn(directory)).toEqual([]);
  await expect(fetch(npm.access.base_url)).rejects.toThrow();
});

test('a service ends with its database when its terminal closes', async () => {
  const service = await start(directory, { ownGroup: true });
  expect(databasesOn(directory)).toHaveLength(1);
  expect(await endOf(service, () => service.signalGroup('SIGHUP'))).toEqual({ code: 0, soon: true });
  expect(databasesOn(directory)).toEqual([]);
});

test('a service that is still starting ends at once and leaves no database process', async () => {
  const starting = launch(directory, { settings: [] });
  await starting.says(/Synthesizing/);
  expect(await endOf(starting, () => starting.process.kill('SIGTERM'))).toEqual({ code: 0, soon: true });
  expect(databasesOn(directory)).toEqual([]);
  expect(starting.output()).not.toMatch(/^ {4}at /m);
});
