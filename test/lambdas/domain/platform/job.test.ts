import { setTimeout as sleep } from 'node:timers/promises';
import { type JobContext, job } from '../../../../lambdas/domain/platform/job.ts';
import { context } from '../../../../tools/invocation.ts';

describe('job', () => {
  test('calls the function with the event, the time and the request ID, and returns its result', async () => {
    const handler = job({ reserveMs: 1_000 }, async (event: string, { now, requestId }) => ({
      event,
      now,
      requestId,
    }));
    const before = Date.now();
    const { now, ...others } = await handler('an event', context(10_000, 'an id'));
    expect(others).toEqual({ event: 'an event', requestId: 'an id' });
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  test('aborts the signal reserveMs before the function times out, and not earlier', async () => {
    const handler = job({ reserveMs: 1_000 }, async (_: unknown, { signal }: JobContext) => {
      const atStart = signal.aborted;
      await sleep(200);
      return [atStart, signal.aborted];
    });
    expect(await handler({}, context(1_100))).toEqual([false, true]);
    expect(await handler({}, context(10_000))).toEqual([false, false]);
  });
});
