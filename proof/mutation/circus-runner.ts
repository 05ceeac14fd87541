import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import * as circus from 'jest-circus';
import { SnapshotState } from 'jest-snapshot';

interface Coverage {
  static: Record<string, number>;
  perTest: Record<string, Record<string, number>>;
}

type TestEntry = Extract<circus.Event, { name: 'test_start' }>['test'];

/** The part of Stryker's global state that its instrumented code reads and writes. */
interface Instrumentation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: Coverage | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

/** The files to run, each with the IDs of its tests to run, or undefined for all tests. */
type Plan = readonly (readonly [file: string, tests: Set<string> | undefined])[];

/** The copy of the sandbox's bundles. */
const preparedBundles = '.build-prepared';

/** Jest's default. @see {@link https://jestjs.io/docs/configuration#snapshotformat-object} */
const snapshotFormat = { escapeString: false, printBasicPrototype: false };

/** The ID of a test that represents the import and the hooks of a file. */
const importOf = (file: string) => `${file} (import)`;

/** See `areas`. */
const shareOfMutant = Number(process.env.MUTATION_SHARE);

/** The files with the tests that run last. */
const lastFiles = globSync((process.env.MUTATION_LAST_TESTS ?? '').split(',')).sort();

/** The number of those tests that run for one mutant. */
const lastTestsOfMutant = 6;

/** The file with the durations of the dry run. All worker processes share it. */
const durationsFile = join(process.cwd(), '.build/mutation-durations.json');

const testFiles = globSync((process.env.MUTATION_TESTS ?? '').split(',')).sort();

/**
 * Runs test files in Stryker's process with jest-circus. For each mutant, it imports the files again, and with them all
 * modules of the project (see `test/runner/isolation.ts`). So a mutant can be in code that runs once, during the import.
 *
 * Stryker's own runner for Jest would load all packages again for each mutant and each test file, which takes longer than most tests.
 */
class CircusRunner implements TestRunner {
  private readonly stryker: Instrumentation = {};
  /** The query of the last import. Each worker process, and each test that imports modules again, uses other queries. */
  private query = Date.now();
  /** The duration of each file in the dry run, in milliseconds. */
  private durations: Record<string, number> | undefined;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    Object.assign(globalThis, { __stryker__: this.stryker });
    // jest-light-runner exports only its runner.
    await import(new URL('global-setup.js', import.meta.resolve('jest-light-runner')).href);
    await import(pathToFileURL(join(process.cwd(), 'test/runner/isolation.ts')).href);
  }

  async dryRun(_: DryRunOptions): Promise<DryRunResult> {
    prepareSandbox();
    this.stryker.activeMutant = undefined;
    this.stryker.mutantCoverage = undefined;
    const tests: TestResult[] = [];
    const durations: Record<string, number> = {};
    for (const file of testFiles) {
      const start = performance.now();
      tests.push(...(await this.runFile(file)));
      durations[file] = performance.now() - start;
    }
    for (const file of lastFiles) tests.push(...(await this.runFile(file)));
    // Only one of the worker processes does the dry run.
    writeFileSync(durationsFile, JSON.stringify(durations));
    const mutantCoverage = this.stryker.mutantCoverage as Coverage | undefined;
    return { status: DryRunStatus.Complete, tests, ...(mutantCoverage && { mutantCoverage }) };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, sandboxFileName }: MutantRunOptions) {
    restoreBundles();
    Object.assign(this.stryker, { activeMutant: activeMutant.id, hitCount: hitLimit && 0, hitLimit });
    const tests: TestResult[] = [];
    const plan = [...this.planOf(testFilter, sandboxFileName), ...lastPlanOf(testFilter)];
    for (const [file, names] of plan) {
      tests.push(...(await this.runFile(file, names)));
      const exceeded = determineHitLimitReached(this.stryker.hitCount, hitLimit);
      if (exceeded) return toMutantRunResult(exceeded);
      if (tests.some(({ status }) => status === TestStatus.Failed)) break;
    }
    return toMutantRunResult({ status: DryRunStatus.Complete, tests });
  }

  /**
   * Returns the files to run, the most promising first. Leaves out later files that do not fit into the time for a mutant. A file
   * that it leaves out might kill the mutant.
   */
  private planOf(testFilter: string[] | undefined, mutated: string): Plan {
    this.durations ??= JSON.parse(readFileSync(durationsFile, 'utf8')) as Record<string, number>;
    const durations = this.durations;
    const [, subject = ''] = /.*\/(?:lambdas|lib|local)\/(.*)\.ts$/.exec(mutated.replaceAll('\\', '/')) ?? [];
    const candidates = testFiles.flatMap((file) => {
      const names = testFilter?.filter((id) => id.startsWith(`${file} `));
      if (names?.length === 0) return [];
      const duration = durations[file] ?? 0;
      const isNear = dirname(file).endsWith(`/${dirname(subject)}`);
      const distance = file.endsWith(`/${subject}.test.ts`) ? 0 : isNear ? 1 : 2;
      const selected = names && !names.includes(importOf(file)) ? new Set(names) : undefined;
      return [{ file, selected, duration, distance, testsPerMs: (names?.length ?? 1) / duration }];
    });
    let left = shareOfMutant * Object.values(durations).reduce((sum, duration) => sum + duration, 0);
    return candidates
      .sort((a, b) => a.distance - b.distance || b.testsPerMs - a.testsPerMs)
      .flatMap(({ file, selected, duration }, i): Plan => {
        if (i > 0 && duration > left) return [];
        left -= duration;
        return [[file, selected]];
      });
  }

  private async runFile(file: string, selected?: Set<string>): Promise<TestResult[]> {
    const { stryker } = this;
    const results: TestResult[] = [];
    const idOf = (test: TestEntry) => `${file} ${nameOf(test)}`;
    let failed = false;
    const handler = (event: circus.Event) => {
      if (event.name === 'hook_start') stryker.currentTestId ??= importOf(file);
      if (event.name === 'test_start') {
        stryker.currentTestId = idOf(event.test);
        expect.setState({ currentTestName: nameOf(event.test), suppressedErrors: [] });
        // The first failure kills the mutant.
        if (failed || (selected && !selected.has(idOf(event.test)))) event.test.mode = 'skip';
      }
      if (event.name === 'test_done') {
        stryker.currentTestId = importOf(file);
        const { duration } = event.test;
        // A snapshot that differs throws nothing, but adds its error to this state.
        const errors = [...event.test.errors, ...expect.getState().suppressedErrors];
        const result = { id: idOf(event.test), name: idOf(event.test), timeSpentMs: duration ?? 0 };
        failed ||= errors.length > 0 && stryker.activeMutant !== undefined;
        results.push(
          errors.length > 0
            ? { ...result, status: TestStatus.Failed, failureMessage: textOf(errors[0]) }
            : { ...result, status: TestStatus.Success },
        );
      }
    };
    const loading = { id: importOf(file), name: importOf(file), timeSpentMs: 0 };
    circus.resetState();
    circus.addEventHandler(handler);
    stryker.currentTestId = importOf(file);
    this.query += 1;
    expect.setState({ snapshotState: snapshotsOf(file), testPath: file });
    try {
      await import(`${pathToFileURL(join(process.cwd(), file)).href}?${this.query}`);
      await circus.run();
      return [{ ...loading, status: TestStatus.Success }, ...results];
    } catch (error) {
      return [{ ...loading, status: TestStatus.Failed, failureMessage: textOf(error) }];
    } finally {
      circus.removeEventHandler(handler);
    }
  }
}

/** Builds the sandbox's bundles and the documents in them. Otherwise, a test would build the bundles without the documents. */
function prepareSandbox(): void {
  rmSync('.build', { recursive: true, force: true });
  const prepare = 'await (await import("./test/support/prepare.ts")).default()';
  execFileSync(process.execPath, ['--input-type=module', '--eval', prepare], { stdio: 'inherit' });
  cpSync('.build', preparedBundles, { recursive: true, preserveTimestamps: true });
}

/** A mutant of the bundling can change the bundles. Without this, tests would then fail for all later mutants. */
function restoreBundles(): void {
  if (listOf('.build') === listOf(preparedBundles)) return;
  rmSync('.build', { recursive: true, force: true });
  cpSync(preparedBundles, '.build', { recursive: true, preserveTimestamps: true });
}

/** Returns the paths of a folder's files, and when each was changed. */
function listOf(folder: string): string {
  return globSync('**/*', { cwd: folder })
    .map((path) => ({ path, stats: statSync(join(folder, path)) }))
    .filter(({ stats }) => stats.isFile())
    .map(({ path, stats }) => `${path} ${Math.floor(stats.mtimeMs)}`)
    .sort()
    .join('\n');
}

/** Opens the snapshots of a test file. A snapshot that is missing is not written. */
function snapshotsOf(file: string): SnapshotState {
  const path = join(dirname(file), '__snapshots__', `${basename(file)}.snap`);
  return new SnapshotState(path, { updateSnapshot: 'none', snapshotFormat, rootDir: process.cwd() });
}

/** Returns an evenly distributed sample of the last tests that cover a mutant. */
function lastPlanOf(testFilter: string[] = []): Plan {
  return lastFiles
    .map((file) => {
      const names = testFilter.filter((id) => id.startsWith(`${file} `) && id !== importOf(file));
      const step = Math.max(1, names.length / lastTestsOfMutant);
      return [file, new Set(names.filter((_, i) => i % step < 1))] as const;
    })
    .filter(([, names]) => names.size > 0);
}

function nameOf({ name, parent }: TestEntry): string {
  const names = [name];
  for (let block: TestEntry['parent'] | undefined = parent; block?.parent; block = block.parent)
    names.unshift(block.name);
  return names.join(' ');
}

function textOf(error: unknown): string {
  const [cause] = Array.isArray(error) ? error : [error];
  return String(cause instanceof Error ? cause.message : cause);
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'circus', CircusRunner)];
