import { timer } from '../../../../lambdas/domain/platform/timer.ts';

test('timer.sleep() waits for the given time', async () => {
  const began = performance.now();
  await timer.sleep(30, new AbortController().signal);
  // Node's timers can fire a millisecond early.
  expect(performance.now() - began).toBeGreaterThanOrEqual(29);
});

test('timer.sleep() throws when its signal aborts', async () => {
  const controller = new AbortController();
  const slept = timer.sleep(60_000, controller.signal);
  controller.abort();
  await expect(slept).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
});
