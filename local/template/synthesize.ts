import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../platform/user-error.ts';
import { Template } from './template.ts';

const project = join(import.meta.dirname, '../..');

/** A template, and where the assets that it names lie. */
export interface Synthesized {
  readonly template: Template;
  readonly directory: string;
}

/**
 * Synthesizes the stack as the CDK's command line does: by running the app of cdk.json, in a process of its own, with
 * the same variables.
 *
 * @param settings context that goes before that of cdk.json
 * @throws UserError with what the app says, if it refuses
 */
export async function synthesize(settings: Record<string, string>, directory: string): Promise<Synthesized> {
  rmSync(directory, { recursive: true, force: true });
  const { context } = readJson(join(project, 'cdk.json'));
  await promisify(execFile)(process.execPath, ['bin/dogs.ts'], {
    cwd: project,
    env: {
      ...process.env,
      CDK_OUTDIR: directory,
      // The CDK's own look at the template takes longer than the rest; whatever deploys takes it.
      CDK_VALIDATION: 'false',
      CDK_CONTEXT_JSON: JSON.stringify({
        ...context,
        ...settings,
        'aws:cdk:enable-asset-metadata': true,
        'aws:cdk:enable-path-metadata': true,
      }),
    },
  }).catch(({ stderr }: { stderr: string }) => {
    throw new UserError(stderr.trim());
  });
  return readAssembly(directory);
}

/** Reads what was synthesized. */
export function readAssembly(directory: string): Synthesized {
  const { artifacts } = readJson(join(directory, 'manifest.json'));
  const [name, stack] =
    Object.entries<{ type: string; properties: { templateFile: string } }>(artifacts).find(
      ([, { type }]) => type === 'aws:cloudformation:stack',
    ) ?? [];
  if (!name || !stack) throw new Error('The app has no stack.');
  return {
    template: new Template(readJson(join(directory, stack.properties.templateFile)), name),
    directory,
  };
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
