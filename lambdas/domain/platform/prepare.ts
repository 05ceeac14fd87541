import type { RequestContext } from './request-context.ts';

/** The ID of the dog that a preparation reads. The dog does not have to exist. */
export const anyDog = 'any';

/** The time limit of a preparation, in milliseconds. */
const timeoutMs = 1_000;

/**
 * Returns the preparation of a function: `index.mjs` calls it during Lambda's initialization, when a function of any size has a
 * whole processor. The preparation makes reads like those of a request. They open the connections and compile the code that the
 * first request needs.
 *
 * @param read makes the reads. It must not write. The preparation ignores its errors
 * @see {@link https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html Lambda's initialization}
 */
export function preparation(read: (context: RequestContext) => Promise<unknown>): () => Promise<void> {
  return async () => {
    const context = { now: Date.now(), signal: AbortSignal.timeout(timeoutMs) };
    try {
      await read(context);
    } catch {
      // The first request makes its own calls, and reports their failures.
    }
  };
}
