import { type RequestContext, withTimeout } from '../../../../lambdas/domain/platform/request-context.ts';
import { now } from '../../../support/context.ts';

const outer = new AbortController();
const context: RequestContext = { now, signal: outer.signal };

const aborted = ({ signal }: RequestContext) =>
  new Promise((resolve) => {
    const report = () => resolve(signal.reason.name ?? signal.reason);
    if (signal.aborted) report();
    else signal.addEventListener('abort', report);
  });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('A context with an earlier deadline', () => {
  test('aborts at this deadline', async () => {
    const reason = withTimeout(context, 1_000, aborted);
    jest.advanceTimersByTime(999);
    expect(await Promise.race([reason, 'not yet'])).toBe('not yet');
    jest.advanceTimersByTime(1);
    expect(await reason).toBe('TimeoutError');
  });

  test('aborts when the invocation aborts', async () => {
    const controller = new AbortController();
    const reason = withTimeout({ ...context, signal: controller.signal }, 1_000, aborted);
    controller.abort('the invocation');
    expect(await reason).toBe('the invocation');
  });

  test('is aborted at once if the invocation has aborted', async () => {
    const ended = { ...context, signal: AbortSignal.abort('before') };
    expect(await withTimeout(ended, 1_000, aborted)).toBe('before');
  });

  test.each([
    ['returns', async () => 'done', 'done'],
    ['throws', () => Promise.reject('failed'), 'failed'],
  ])('has no timer and no listener after the work %s', async (_, work, expected) => {
    const { signal } = outer;
    const removing = jest.spyOn(signal, 'removeEventListener');
    let limited: AbortSignal | undefined;
    const ended = withTimeout(context, 1_000, (inner) => {
      limited = inner.signal;
      return work();
    });
    expect(await ended.catch((error) => error)).toBe(expected);
    jest.advanceTimersByTime(1_000);
    expect(limited?.aborted).toBe(false);
    expect(removing).toHaveBeenCalledTimes(1);
    removing.mockRestore();
  });
});
