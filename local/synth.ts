import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createApp } from '../lib/app.ts';
import { Template } from './template.ts';

/** A template, and where the assets that it names lie. */
export interface Synthesized {
  readonly template: Template;
  readonly stackName: string;
  readonly directory: string;
}

/**
 * Synthesizes the stack as `cdk synth` does, with the context of cdk.json.
 *
 * @param settings context that goes before that of cdk.json
 */
export function synthesize(settings: Record<string, string>, outdir: string): Synthesized {
  const cdkJson = JSON.parse(readFileSync(join(import.meta.dirname, '../cdk.json'), 'utf8'));
  const app = createApp({
    outdir: resolve(outdir),
    context: {
      ...cdkJson.context,
      ...settings,
      'aws:cdk:enable-asset-metadata': true,
      'aws:cdk:enable-path-metadata': true,
    },
  });
  const assembly = app.synth();
  const [stack] = assembly.stacks;
  if (!stack) throw new Error('The app has no stack.');
  return {
    template: new Template(stack.template, stack.stackName),
    stackName: stack.stackName,
    directory: assembly.directory,
  };
}
