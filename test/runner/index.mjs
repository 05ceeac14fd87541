import LightRunner from 'jest-light-runner';

/** A test file that takes longer is considered blocked. The slowest one takes five minutes. */
const timeoutMs = 600_000;

/**
 * Runs the test files in worker threads, on Node's own module loader. This is several times as fast as Jest's default runner,
 * which loads all modules, packages included, again for each file. The runner has no time limit, so this class ends the run if
 * a test file is blocked.
 */
export default class Runner extends LightRunner {
  constructor(globalConfig, ...configuration) {
    // With one worker, the superclass would run all projects in this thread, and then fail when it ends the second project.
    super({ ...globalConfig, maxWorkers: Math.max(2, globalConfig.maxWorkers) }, ...configuration);
  }

  runTests(tests, watcher, onStart, onResult, onFailure) {
    const timers = new Map();
    const start = async (test) => {
      await onStart(test);
      const timer = setTimeout(() => stop(test), timeoutMs);
      timers.set(test, timer);
    };
    const end = (report) => (test, outcome) => {
      clearTimeout(timers.get(test));
      return report(test, outcome);
    };
    return super.runTests(tests, watcher, start, end(onResult), end(onFailure));
  }
}

function stop({ path }) {
  console.error(`${path} has not ended after ${timeoutMs / 60_000} minutes.`);
  process.exit(1);
}
