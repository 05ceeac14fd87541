import { Shutdown } from '../../../local/platform/shutdown.ts';

describe('Shutdown', () => {
  test('runs its steps one after the other, last added first', async () => {
    const shutdown = new Shutdown();
    const events: string[] = [];
    shutdown.add(() => events.push('first'));
    shutdown.add(async () => {
      events.push('second begins');
      await Promise.resolve();
      events.push('second ends');
    });
    await shutdown.run();
    expect(events).toEqual(['second begins', 'second ends', 'first']);
  });

  test('runs each step once', async () => {
    const shutdown = new Shutdown();
    const step = jest.fn();
    shutdown.add(step);
    await Promise.all([shutdown.run(), shutdown.run()]);
    expect(step).toHaveBeenCalledTimes(1);
  });

  test('runs a step that is added during the shutdown', async () => {
    const shutdown = new Shutdown();
    const late = jest.fn();
    shutdown.add(() => shutdown.add(late));
    await shutdown.run();
    expect(late).toHaveBeenCalledTimes(1);
  });
});
