import { join, resolve } from 'node:path';
import { synthesize } from '../../local/template/synthesize.ts';

declare global {
  /** The result of this `prepare` in this run. */
  var stackPreparation: Promise<unknown> | undefined;
}

/** The folder with the stack, which is synthesized and bundled once before the tests. */
export const synthesized = join(resolve(import.meta.dirname, '../..'), '.build', 'cdk.out');

/** Synthesizes the stack. Safe to call again, because several projects need the stack. */
export default async function prepare(): Promise<void> {
  globalThis.stackPreparation ??= synthesize({}, synthesized);
  await globalThis.stackPreparation;
}
