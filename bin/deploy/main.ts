import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStage, SettingsError, type Stage, stackOf } from '../../lib/stages.ts';
import { useDeployment } from '../cli/deployment.ts';
import { CommandFailed, UsageError } from '../cli/errors.ts';
import { protectTables } from '../cli/protection.ts';
import type { Terminal } from '../cli/terminal.ts';
import { printable, printableJson, printableLines } from '../printable.ts';
import { type Finding, lineOf } from './finding.ts';
import { type DeployCommand, projectContext, readOptions, usageOf } from './options.ts';
import { checkAccess, preflight, settingsSubject } from './preflight.ts';
import type { Template } from './tls-policy.ts';

export interface Surroundings {
  readonly terminal: Pick<Terminal, 'canAsk' | 'ask' | 'print' | 'printError'>;
  /** Runs the CDK's command line, and returns its exit code. */
  readonly runCdk: (args: readonly string[]) => number;
  /** The folder that contains the stage files. Default: `stages`. */
  readonly folder?: string;
}

/**
 * Checks the account and the region, and then runs a CDK command for a stage.
 *
 * @returns the exit code
 */
export async function main(
  command: DeployCommand,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  try {
    return await run(command, args, surroundings);
  } catch (error) {
    if (!(error instanceof SettingsError || error instanceof CommandFailed)) throw error;
    surroundings.terminal.printError(`${printableLines(error.message)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run(
  command: DeployCommand,
  args: readonly string[],
  { terminal, runCdk, folder }: Surroundings,
): Promise<number> {
  const options = readOptions(command, args);
  if (options.help) {
    terminal.print(`${usageOf(command)}\n`);
    return 0;
  }
  const stage = readStage(options.stage, {}, folder);
  const context = ['-c', `stage=${options.stage}`];
  useDefaultRegion();
  const found =
    command === 'destroy'
      ? (await checkAccess()).findings
      : await preflightOf(stage, () => synthesize(options.stage, context, runCdk));
  const findings = options.acceptsChanges ? found.map(accepted) : found;
  for (const finding of findings) terminal.print(`${lineOf(finding)}\n`);
  const failed = findings.filter(({ state }) => state === 'FAILED').map(({ subject }) => subject);
  const lacksAccess = failed.some((subject) => accessSubjects.has(subject));
  if (command === 'diff' && lacksAccess) {
    terminal.print(`\nThe deployed stack cannot be read. This is what a first deployment would create:\n\n`);
    return diffWithNothing([...context, ...options.others], runCdk);
  }
  const preventing = command === 'deploy' ? failed : failed.filter((subject) => accessSubjects.has(subject));
  const canAccept = preventing.every((subject) => subject === settingsSubject);
  if (options.isCheck || !canAccept) return preventing.length === 0 ? 0 : 1;
  if (preventing.length > 0 && !(terminal.canAsk && (await terminal.ask('Change these settings?')))) return 1;
  const { deletionProtection, expressDeployments } = stage.settings;
  const express = command === 'deploy' && expressDeployments ? ['--express', '--rollback'] : [];
  const code = runCdk([command, ...context, ...express, ...options.others]);
  if (code !== 0 || command !== 'deploy' || !deletionProtection) return code;
  return protect(stackOf(options.stage), terminal);
}

/** @throws CommandFailed if the CDK fails; the CDK has then printed the reason */
function synthesize(stage: string, context: readonly string[], runCdk: Surroundings['runCdk']): Template {
  return inTemporaryFolder((folder) => {
    const code = runCdk(['synth', ...context, '--quiet', '--output', folder]);
    if (code !== 0) throw new CommandFailed('The template cannot be synthesized.');
    return JSON.parse(readFileSync(join(folder, `${stackOf(stage)}.template.json`), 'utf8'));
  });
}

/** Needs no AWS account. */
function diffWithNothing(args: readonly string[], runCdk: Surroundings['runCdk']): number {
  return inTemporaryFolder((folder) => {
    const empty = join(folder, 'empty.json');
    writeFileSync(empty, '{}');
    return runCdk(['diff', ...args, '--template', empty]);
  });
}

function inTemporaryFolder<Result>(use: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'dogs-deploy-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The checks that must pass even for `destroy`. Without them, `diff` cannot read the deployed stack. */
const accessSubjects: ReadonlySet<string> = new Set(['credentials', 'region']);

/** Turns a failed settings check into a note, for a user who accepts the changes. */
const accepted = (finding: Finding): Finding =>
  finding.subject === settingsSubject && finding.state === 'FAILED' ? { ...finding, state: 'note' } : finding;

function preflightOf(stage: Stage, synthesize: () => Template) {
  const { '@aws-cdk/core:bootstrapQualifier': qualifier } = projectContext();
  return preflight(stage, synthesize, qualifier === undefined ? undefined : String(qualifier));
}

/** The CDK also reads the region from AWS_DEFAULT_REGION, but the AWS SDK does not. */
function useDefaultRegion(): void {
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  if (!AWS_REGION && AWS_DEFAULT_REGION) process.env.AWS_REGION = AWS_DEFAULT_REGION;
}

async function protect(stack: string, { print, printError }: Surroundings['terminal']): Promise<number> {
  try {
    print(`${printableJson({ stack, ...(await protectTables(await useDeployment(stack))) })}\n`);
    return 0;
  } catch (error) {
    printError(
      `${printable((error as Error).message)}\nThe deployment succeeded, but some tables may lack deletion protection. Deploy again to turn it on.\n`,
    );
    return 1;
  }
}
