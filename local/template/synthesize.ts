import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../platform/user-error.ts';
import { Template } from './template.ts';

/** A template, and the folder with its assets. */
export interface Synthesized {
  readonly template: Template;
  readonly directory: string;
}

/**
 * Synthesizes the stack as the CDK's command line does. Runs the app of `cdk.json` in another process, with the same
 * environment variables.
 *
 * @param settings context values that take precedence over those of `cdk.json`
 * @param directory the folder for the template and its assets. Its previous content is deleted
 * @param project the folder that contains `cdk.json`
 * @throws Error if the app is not a Node program, such as `node <module>`
 * @throws UserError with the output of the app if the app fails
 */
export async function synthesize(
  settings: Readonly<Record<string, string>>,
  directory: string,
  project = process.cwd(),
): Promise<Synthesized> {
  rmSync(directory, { recursive: true, force: true });
  const { app, context } = readJson(join(project, 'cdk.json')) as { app: string; context?: object };
  const [program, ...parameters] = app.split(' ');
  if (program !== 'node') throw new Error(`The app of ${project} is not a Node program.`);
  await promisify(execFile)(process.execPath, parameters, {
    cwd: project,
    env: {
      ...process.env,
      CDK_OUTDIR: directory,
      // Skips the CDK's validation, which takes longer than the rest of the synthesis. `cdk deploy` still validates.
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

/**
 * Reads a synthesized template.
 *
 * @throws Error if the folder has no stack
 */
export function readAssembly(directory: string): Synthesized {
  const { artifacts } = readJson(join(directory, 'manifest.json'));
  const [name, stack] =
    Object.entries<{ type: string; properties: { templateFile: string } }>(artifacts).find(
      ([, { type }]) => type === 'aws:cloudformation:stack',
    ) ?? [];
  if (!name || !stack) throw new Error(`${directory} has no stack.`);
  return {
    template: new Template(readJson(join(directory, stack.properties.templateFile)), name),
    directory,
  };
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
