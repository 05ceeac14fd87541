import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { UserError } from '../platform/user-error.ts';
import type { ResultMessage, RunMessage } from './app-process.ts';
import { Template } from './template.ts';

/** A template, and the folder with its assets. */
export interface Synthesized {
  readonly template: Template;
  readonly directory: string;
}

export interface Synthesis {
  readonly project: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The folder for the template and its assets. */
  readonly directory: string;
}

/** If a run takes longer, the synthesizer kills its process. */
const timeoutMs = 120_000;

/** A process is replaced after this many runs, because it keeps the modules of all its runs in memory. */
const maximumRuns = 20;

interface AppProcess {
  readonly child: ChildProcess;
  /** The command in `cdk.json`. */
  readonly app: string;
  runs: number;
}

/**
 * Runs the app from `cdk.json` in another process, with the environment variables that the CDK CLI sets. Keeps the process, so
 * that the next call takes a fraction of the time.
 */
export class Synthesizer {
  private readonly synthesis: Synthesis;
  private process: AppProcess | undefined;

  constructor(synthesis: Synthesis) {
    this.synthesis = synthesis;
  }

  /**
   * Keeps the assets of earlier calls. Must not be called while a call is in progress.
   *
   * @throws Error if `app` in `cdk.json` does not have the form `node <module>`, or if the app has no stack
   * @throws UserError with the reason if the app fails, takes longer than `timeoutMs`, or is stopped
   */
  async synthesize(): Promise<Synthesized> {
    const configuration = readJson(join(this.synthesis.project, 'cdk.json')) as {
      app: string;
      context?: object;
    };
    const current = this.processOf(configuration.app);
    current.runs += 1;
    const error = await resultOf(current.child, this.environment(configuration.context));
    if (error !== undefined) throw new UserError(error);
    return readAssembly(this.synthesis.directory);
  }

  /** A call in progress fails. The next call starts a new process. */
  stop(): void {
    this.process?.child.kill('SIGKILL');
    this.process = undefined;
  }

  private processOf(app: string): AppProcess {
    const { process: kept } = this;
    if (kept && kept.app === app && kept.runs < maximumRuns && !hasEnded(kept.child)) return kept;
    this.stop();
    const [program, module, ...others] = app.split(' ');
    if (program !== 'node' || module === undefined || others.length > 0)
      throw new Error(
        `The "app" in ${join(this.synthesis.project, 'cdk.json')} must have the form "node <module>".`,
      );
    const runner = join(import.meta.dirname, `app-process${extname(import.meta.filename)}`);
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', runner, module], {
      cwd: this.synthesis.project,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.process = { child, app, runs: 0 };
    return this.process;
  }

  private environment(context?: object): Record<string, string> {
    return {
      CDK_OUTDIR: this.synthesis.directory,
      // The CDK's validation takes longer than the rest of the synthesis. `cdk deploy` performs it.
      CDK_VALIDATION: 'false',
      CDK_CONTEXT_JSON: JSON.stringify({
        ...context,
        ...this.synthesis.settings,
        'aws:cdk:enable-asset-metadata': true,
        'aws:cdk:enable-path-metadata': true,
        // The data that these settings omit takes a fifth of the synthesis. Only `cdk deploy` uses it, in its error messages and
        // usage statistics.
        'aws:cdk:disable-creation-stack-traces': true,
        '@aws-cdk/core:enableAdditionalMetadataCollection': false,
      }),
    };
  }
}

/** Returns the reason if the app fails, and undefined if it succeeds. */
async function resultOf(
  child: ChildProcess,
  environment: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  let output = '';
  const onOutput = (text: string) => {
    output += text;
  };
  const onMessage = ({ error }: ResultMessage) => resolve(error);
  const onError = ({ message }: Error) => resolve(message);
  const onClose = () => resolve(output.trim() || 'The app ended without a result.');
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  child.stderr?.setEncoding('utf8').on('data', onOutput);
  child.on('message', onMessage).on('error', onError).on('close', onClose);
  // If the message cannot be sent, the process has ended. The event `close` reports that.
  child.send({ environment } satisfies RunMessage, () => {});
  const error = await promise;
  clearTimeout(timer);
  child.stderr?.off('data', onOutput).resume();
  child.off('message', onMessage).off('error', onError).off('close', onClose);
  return error;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Returns the names of the template's asset folders and files. */
export function assetsOf({ resources }: Template): ReadonlySet<unknown> {
  return new Set(resources.map(({ properties }) => properties.assetPath));
}

/** The names of the stacks in a folder with a synthesized app, in the order in which the app has created them. */
export function stacksIn(directory: string): string[] {
  return [...templateFilesIn(directory).keys()];
}

/**
 * @param stackName the stack to read; by default, the app's first stack
 * @throws Error if the folder has no such stack
 */
export function readAssembly(directory: string, stackName?: string): Synthesized {
  const files = templateFilesIn(directory);
  const name = stackName ?? [...files.keys()][0] ?? '';
  const file = files.get(name);
  if (file === undefined) throw new Error(`${directory} has no stack ${name}`.trimEnd());
  return { template: new Template(readJson(join(directory, file)), name), directory };
}

function templateFilesIn(directory: string): Map<string, string> {
  const { artifacts } = readJson(join(directory, 'manifest.json'));
  const stacks = Object.entries<{ type: string; properties: { templateFile: string } }>(artifacts).filter(
    ([, { type }]) => type === 'aws:cloudformation:stack',
  );
  return new Map(stacks.map(([name, { properties }]) => [name, properties.templateFile]));
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
