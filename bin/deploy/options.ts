import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileOf, isSetting } from '../../lib/stages.ts';
import { UsageError } from '../cli/errors.ts';

export type DeployCommand = 'deploy' | 'diff' | 'destroy';

const own = {
  stage: { type: 'string' },
  check: { type: 'boolean' },
  'accept-setting-changes': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  // These three are also CDK options.
  context: { type: 'string', short: 'c', multiple: true },
  profile: { type: 'string' },
  region: { type: 'string' },
} as const;

const ownNames: readonly string[] = ['stage', 'check', 'accept-setting-changes', 'help'];

export function usageOf(command: DeployCommand): string {
  const onlyOfDeploy = `
  --check                    checks the account and the region, and deploys nothing
  --accept-setting-changes   deploys even if settings that the stage's file does not list would change`;
  return `npm run ${command} -- --stage <name> [options]

  --stage <name>             the stage. Its settings are in stages/<name>.json${command === 'deploy' ? onlyOfDeploy : ''}

All other options are passed to the CDK: see "npx cdk ${command} --help".`;
}

/**
 * Reads the command line. Options that are not in `ownNames` are for the CDK.
 *
 * @throws UsageError if the stage is missing or given twice, or if an option or `cdk.json` sets what belongs in the stage's file or in an
 *   environment variable
 */
export function readOptions(command: DeployCommand, args: readonly string[]) {
  const { values, tokens } = parseArgs({ args: [...args], options: own, strict: false, tokens: true });
  const { stage, context = [], check = false, help = false } = values;
  if (help) return { help: true } as const;
  if (typeof stage !== 'string' || stage === '')
    throw new UsageError(`The stage is missing.\n\n${usageOf(command)}`);
  if (tokens.filter((token) => token.kind === 'option' && token.name === 'stage').length > 1)
    throw new UsageError('--stage is set more than once. Name one stage.');
  for (const [option, variable] of [
    ['profile', 'AWS_PROFILE'],
    ['region', 'AWS_REGION'],
  ] as const)
    if (values[option] !== undefined)
      throw new UsageError(`Set ${variable} instead of --${option}, because npx dogs needs it, too.`);
  const names = [
    ...context.map((setting) => String(setting).split('=')[0]),
    ...Object.keys(projectContext()),
  ];
  for (const name of names) {
    if (name === 'stage') throw new UsageError('Set --stage instead of the context value stage.');
    if (name && isSetting(name))
      throw new UsageError(`Set ${name} in ${fileOf(stage)}, so that the next deployment uses it too.`);
  }
  const taken = tokens.flatMap((token) => {
    if (token.kind !== 'option' || !ownNames.includes(token.name)) return [];
    return token.value !== undefined && !token.inlineValue ? [token.index, token.index + 1] : [token.index];
  });
  return {
    help: false,
    stage,
    isCheck: check === true,
    acceptsChanges: values['accept-setting-changes'] === true,
    /** The arguments for the CDK. */
    others: args.filter((_, index) => !taken.includes(index)),
  } as const;
}

export function projectContext(): Readonly<Record<string, unknown>> {
  const file = join(import.meta.dirname, '../../cdk.json');
  return JSON.parse(readFileSync(file, 'utf8')).context ?? {};
}
