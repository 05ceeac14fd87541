import { join, resolve } from 'node:path';
import { synthesize } from '../../local/template/synthesize.ts';

/**
 * The folder with the stack of the services that tests start. It is synthesized once before the tests. A dog barks soon after an
 * asynchronous bark, and the authorizer caches no results.
 */
export const preparedStack = join(resolve(import.meta.dirname, '../..'), '.build', 'cdk.out-services');

export default async function prepare(): Promise<void> {
  await synthesize({ authorizerCacheSeconds: '0', cancellationWindowSeconds: '2' }, preparedStack);
}
