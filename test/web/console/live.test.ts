import { mock } from 'node:test';
import { pollIntervalMs } from '../../../web/console/live/poll-interval.ts';
import { Wake } from '../../../web/console/live/wake.ts';

describe('pollIntervalMs', () => {
  test.each([
    [0, 0, 1_500],
    [299_999, 0, 1_500],
    [300_000, 0, 15_000],
    [0, 1, 3_000],
    [0, 2, 6_000],
    [0, 4, 24_000],
    [0, 5, 30_000],
    [0, 60, 30_000],
  ])('after %i idle milliseconds and %i failures is %i', (idleMs, failures, interval) => {
    expect(pollIntervalMs({ idleMs, failures })).toBe(interval);
  });
});

describe('Wake', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => {
    mock.timers.reset();
  });

  test('waits for the time', async () => {
    const waited = new Wake().wait(1_000, new AbortController().signal);
    mock.timers.tick(999);
    await expect(Promise.race([waited, 'still waiting'])).resolves.toBe('still waiting');
    mock.timers.tick(1);
    await expect(waited).resolves.toBe(true);
  });

  test('ends a wait early', async () => {
    const wake = new Wake();
    const waited = wake.wait(1_000, new AbortController().signal);
    wake.wake();
    await expect(waited).resolves.toBe(true);
    const next = wake.wait(2_000, new AbortController().signal);
    mock.timers.tick(1_000);
    await expect(Promise.race([next, 'still waiting'])).resolves.toBe('still waiting');
  });

  test('ends the next wait if there is none, but not the one after', async () => {
    const wake = new Wake();
    const { signal } = new AbortController();
    wake.wake();
    await expect(wake.wait(1_000, signal)).resolves.toBe(true);
    const next = wake.wait(1_000, signal);
    await expect(Promise.race([next, 'still waiting'])).resolves.toBe('still waiting');
    mock.timers.tick(1_000);
    await next;
  });

  test('ends a wait when the signal aborts, and does not begin one later', async () => {
    const leaving = new AbortController();
    const waited = new Wake().wait(1_000, leaving.signal);
    leaving.abort();
    await expect(waited).resolves.toBe(false);
    await expect(new Wake().wait(1_000, leaving.signal)).resolves.toBe(false);
  });
});
