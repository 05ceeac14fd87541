import { join, resolve } from 'node:path';
import { synthesize } from '../../local/template/synthesize.ts';
import { cancellationWindowSeconds } from './shared-service.ts';

declare global {
  /** The result of `prepare` in this run. */
  var preparation: Promise<unknown> | undefined;
}

/**
 * The folder with the stack of the services that tests start. It is synthesized once before the tests. A dog barks soon after an
 * asynchronous bark, and the authorizer caches no results.
 */
export const preparedStack = join(resolve(import.meta.dirname, '../..'), '.build', 'cdk.out-services');

/** Synthesizes the stack. Safe to call again, because several projects need the stack. */
export default async function prepare(): Promise<void> {
  globalThis.preparation ??= synthesize(
    { authorizerCacheSeconds: '0', cancellationWindowSeconds: String(cancellationWindowSeconds) },
    preparedStack,
  );
  await globalThis.preparation;
}
