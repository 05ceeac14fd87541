import type { RequestContext } from './request-context.ts';

/** A preparation can read a dog that does not exist. */
export const anyDog = 'any';

const timeoutMs = 1_000;

/**
 * Returns what `index.mjs` calls during Lambda's initialization, when a function of any size has a whole processor. Doing a
 * request's reads opens the connections and compiles the code that the first request needs.
 *
 * @param read must not write. Its errors are ignored
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
