import type { RequestContext } from './request-context.ts';

/** The ID of the dog that preparations read. The dog need not exist. */
export const anyDog = 'any';

const timeoutMs = 1_000;

/**
 * `index.mjs` calls the result during Lambda's initialization, when a function of any size has a whole processor. The same reads
 * as in a request open the connections and compile the code that the first request needs.
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
