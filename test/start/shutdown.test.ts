import { databasesOn, endOf, launch, start, temporaryDirectory } from './support.ts';

test('npm start ends with all its processes when npm receives a signal', async () => {
  const ends = (['SIGTERM', 'SIGINT'] as const).map(async (signal) => {
    const npm = await start(temporaryDirectory(), { command: ['npm', 'start', '--'] });
    const databases = databasesOn(npm.directory).length;
    const end = await endOf(npm, () => npm.process.kill(signal));
    const databasesAfter = databasesOn(npm.directory).length;
    const isServing = await fetch(npm.access.base_url).then(Boolean, () => false);
    return { signal, databases, ...end, databasesAfter, isServing };
  });
  const expected = { databases: 1, code: 0, soon: true, databasesAfter: 0, isServing: false };
  expect(await Promise.all(ends)).toEqual([
    { signal: 'SIGTERM', ...expected },
    { signal: 'SIGINT', ...expected },
  ]);
});

test('a service ends with its database when its terminal closes', async () => {
  const service = await start(temporaryDirectory(), { ownGroup: true });
  expect(databasesOn(service.directory)).toHaveLength(1);
  expect(await endOf(service, () => service.signalGroup('SIGHUP'))).toEqual({ code: 0, soon: true });
  expect(databasesOn(service.directory)).toEqual([]);
});

test('a service that is still starting ends at once and leaves no database process', async () => {
  const starting = launch();
  await starting.says(/Synthesizing/);
  expect(await endOf(starting, () => starting.process.kill('SIGTERM'))).toEqual({ code: 0, soon: true });
  expect(databasesOn(starting.directory)).toEqual([]);
  expect(starting.output()).not.toMatch(/^ {4}at /m);
});
