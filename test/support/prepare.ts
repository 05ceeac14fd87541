import { join, resolve } from 'node:path';
import { synthesize } from '../../local/template/synthesize.ts';

/** The folder with the stack, which is synthesized and bundled once before the tests. */
export const synthesized = join(resolve(import.meta.dirname, '../..'), '.build', 'cdk.out');

export default async function prepare(): Promise<void> {
  await synthesize({}, synthesized);
}
