import { Shutdown } from '../../platform/shutdown.ts';

test('Shutdown runs each step once, last added first, one after the other, and then those added meanwhile', async () => {
  const shutdown = new Shutdown();
  const events: string[] = [];
  shutdown.add(() => {
    events.push('first');
    shutdown.add(() => events.push('late'));
  });
  shutdown.add(async () => {
    events.push('second begins');
    await Promise.resolve();
    events.push('second ends');
  });
  await Promise.all([shutdown.run(), shutdown.run()]);
  expect(events).toEqual(['second begins', 'second ends', 'first', 'late']);
});
