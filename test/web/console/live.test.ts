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
    [0, 5, 30_000],
  ])('after %i idle milliseconds and %i failures is %i', (idleMs, failures, interval) => {
    expect(pollIntervalMs({ idleMs, failures })).toBe(interval);
  });
});

describe('A wait', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  const still = (wait: Promise<boolean>) => Promise.race([wait, 'waiting']);

  test('lasts for its time', async () => {
    const waited = new Wake().wait(1_000, new AbortController().signal);
    mock.timers.tick(999);
    expect(await still(waited)).toBe('waiting');
    mock.timers.tick(1);
    expect(await waited).toBe(true);
  });

  test.each(['it', 'the next one, if there is none'])('ends early if `wake` ends %s', async (which) => {
    const wake = new Wake();
    const { signal } = new AbortController();
    const current = which === 'it' ? wake.wait(1_000, signal) : undefined;
    wake.wake();
    expect(await (current ?? wake.wait(1_000, signal))).toBe(true);
    const next = wake.wait(2_000, signal);
    mock.timers.tick(1_999);
    expect(await still(next)).toBe('waiting');
  });

  test('ends when the signal aborts, and does not begin later', async () => {
    const leaving = new AbortController();
    const waited = new Wake().wait(1_000, leaving.signal);
    leaving.abort();
    expect(await waited).toBe(false);
    expect(await new Wake().wait(1_000, leaving.signal)).toBe(false);
  });
});
