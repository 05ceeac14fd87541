import { mock } from 'node:test';
import { pollIntervalMs } from '../../web/console/live/poll-interval.ts';
import { Wake } from '../../web/console/live/wake.ts';

describe('pollIntervalMs', () => {
  test('is below two seconds while the user is active', () => {
    expect(pollIntervalMs({ idleMs: 0, failures: 0 })).toBeLessThan(2_000);
    expect(pollIntervalMs({ idleMs: 299_999, failures: 0 })).toBeLessThan(2_000);
  });

  test('is ten times as long after five idle minutes', () => {
    const active = pollIntervalMs({ idleMs: 0, failures: 0 });
    expect(pollIntervalMs({ idleMs: 300_000, failures: 0 })).toBe(10 * active);
  });

  test('doubles with each failure, up to 30 seconds', () => {
    const intervals = [1, 2, 3, 4, 5, 60].map((failures) => pollIntervalMs({ idleMs: 0, failures }));
    expect(intervals).toEqual([3_000, 6_000, 12_000, 24_000, 30_000, 30_000]);
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

  test('ends a wait when the signal aborts', async () => {
    const leaving = new AbortController();
    const waited = new Wake().wait(1_000, leaving.signal);
    leaving.abort();
    await expect(waited).resolves.toBe(false);
  });

  test('does not wait if the signal has aborted', async () => {
    await expect(new Wake().wait(1_000, AbortSignal.abort())).resolves.toBe(false);
  });
});
