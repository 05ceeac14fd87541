import { join, resolve } from 'node:path';
import { synthesize } from '../../local/template/synthesize.ts';
import { stackSettings } from './shared-service.ts';

declare global {
  /** Settles when the stack of this run is synthesized. */
  var preparation: Promise<unknown> | undefined;
}

/** The folder with the stack of the services that tests start. It is synthesized once before the tests. */
export const preparedStack = join(resolve(import.meta.dirname, '../..'), '.build', 'cdk.out-services');

/** Synthesizes the stack. Safe to call again, because several projects can use the stack. */
export default async function prepare(): Promise<void> {
  globalThis.preparation ??= synthesize(stackSettings, preparedStack);
  await globalThis.preparation;
}
