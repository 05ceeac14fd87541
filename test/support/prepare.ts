import { join, resolve } from 'node:path';
import { appInputs } from '../../bin/app-inputs.ts';
import { localSettings } from '../../bin/start/options.ts';
import { synthesize } from '../../tools/synthesis.ts';

const project = resolve(import.meta.dirname, '../..');

/** The folder with the stack of `npm start`, which has all functions. */
export const synthesized = join(project, '.build', 'cdk.out');

/** Synthesizes the stack. Safe to call again, because several projects need the stack. */
export default async function prepare(): Promise<void> {
  await synthesize({
    project,
    settings: localSettings,
    directory: synthesized,
    inputs: appInputs,
  });
}
