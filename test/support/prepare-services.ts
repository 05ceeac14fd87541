import { join, resolve } from 'node:path';
import { appInputs } from '../../bin/app-inputs.ts';
import { localSettings } from '../../bin/start/options.ts';
import { synthesize } from '../../tools/synthesis.ts';
import { cancellationWindowSeconds } from './shared-service.ts';

declare global {
  /** The result of `prepare` in this run. */
  var preparation: Promise<unknown> | undefined;
}

const project = resolve(import.meta.dirname, '../..');

/** The stack of the services that tests start. Its asynchronous barks happen soon, and its authorizer caches no results. */
export const preparedStack = join(project, '.build', 'cdk.out-services');

/** Synthesizes the stack if it has changed. Safe to call again, because several projects need the stack. */
export default async function prepare(): Promise<void> {
  globalThis.preparation ??= synthesize({
    project,
    settings: {
      ...localSettings,
      authorizerCacheSeconds: '0',
      cancellationWindowSeconds: String(cancellationWindowSeconds),
      // All tests share one user.
      mailsPerUser: '100000',
    },
    directory: preparedStack,
    inputs: appInputs,
  });
  await globalThis.preparation;
}
