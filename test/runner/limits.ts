import { threadId } from 'node:worker_threads';
import { getState } from 'jest-circus';

type Block = ReturnType<typeof getState>['rootDescribeBlock'];

/** What a file's thread runs at the moment, for the runner, which ends the thread if this takes too long. */
interface Progress {
  readonly thread: number;
  readonly file: string;
  /** Undefined between two tests or hooks. */
  readonly running: { readonly name: string; readonly limitMs: number } | undefined;
}

/** Long, because a service takes several seconds to start, or longer if the machine is busy. */
const defaultLimitMs = process.env.THOROUGH ? 600_000 : 60_000;

// A test can replace these functions.
const { setTimeout, clearTimeout } = globalThis;
const now = performance.now.bind(performance);

const progress = new BroadcastChannel('progress of tests');
progress.unref();

let file = '';
let limitOfFileMs = defaultLimitMs;
let began = 0;

function report(running?: Progress['running']): void {
  progress.postMessage({ thread: threadId, file, running } satisfies Progress);
}

/** Must be called before a test file is imported. The file can call `jest.setTimeout`. */
export function limitImport(path: string): void {
  file = path;
  limitOfFileMs = defaultLimitMs;
  began = now();
  jest.setTimeout = (limitMs) => {
    limitOfFileMs = limitMs;
    return jest;
  };
  report({ name: 'The import', limitMs: defaultLimitMs });
}

/**
 * Limits the time of each test and each hook of the file that has just been imported. In these cases, later tests fail with the error of
 * an earlier one:
 *
 * - A `beforeAll` hook has failed. The tests of its block fail.
 * - A test or a hook has taken too long. All tests of the file fail, because what is still running could change what they see.
 * - A test has failed after three times the limit of a test. All tests of the file fail, because each may fail as slowly.
 */
export function limitTests(): void {
  report();
  limitBlock(getState().rootDescribeBlock, []);
}

/** @param outer the failures of the blocks around this one. A failure has at most one element */
function limitBlock(block: Block, outer: readonly Error[][], names: readonly string[] = []): void {
  const own: Error[] = [];
  const failures = [...outer, own];
  const [ofFile = own] = failures;
  const failure = () => failures.flat()[0];

  async function limited(run: () => unknown, name: string, limitMs = limitOfFileMs): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    report({ name, limitMs });
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          const error = new Error(`${name} did not end within ${limitMs / 1000} seconds.`);
          ofFile.push(error);
          reject(error);
        }, limitMs);
      });
      await Promise.race([run(), late]);
    } catch (error) {
      if (now() - began > 3 * limitOfFileMs) ofFile.push(error as Error);
      throw error;
    } finally {
      clearTimeout(timer);
      report();
    }
  }

  const nameOf = (own: string) => [...names, own].join(' > ');
  for (const hook of block.hooks) {
    const run = hook.fn as () => unknown;
    hook.fn = async () => {
      if (failure() && hook.type !== 'afterAll') return;
      try {
        await limited(run, nameOf(`(${hook.type})`), hook.timeout ?? undefined);
      } catch (error) {
        if (hook.type === 'beforeAll') own.push(error as Error);
        throw error;
      }
    };
  }
  for (const child of block.children) {
    if (child.type === 'describeBlock') {
      limitBlock(child, failures, [...names, child.name]);
    } else if (child.fn) {
      const run = child.fn as () => unknown;
      child.fn = async () => {
        const earlier = failure();
        if (earlier) throw earlier;
        await limited(run, nameOf(child.name), child.timeout);
      };
    }
  }
}
