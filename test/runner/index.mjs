import LightRunner from 'jest-light-runner';

/** A file is considered blocked if none of its tests ends for so long. A file with many tests can take longer. */
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
    /** By the path of the file. */
    const timers = new Map();
    const wait = (path) => timers.set(path, setTimeout(stop, timeoutMs, path));
    const start = async (test) => {
      await onStart(test);
      wait(test.path);
    };
    const end = (report) => (test, outcome) => {
      clearTimeout(timers.get(test.path));
      timers.delete(test.path);
      return report(test, outcome);
    };
    const progress = new BroadcastChannel('ended tests');
    progress.unref();
    progress.onmessage = ({ data: path }) => {
      if (!timers.has(path)) return;
      clearTimeout(timers.get(path));
      wait(path);
    };
    return super.runTests(tests, watcher, start, end(onResult), end(onFailure));
  }
}

function stop(path) {
  console.error(`No test in ${path} has ended for ${timeoutMs / 60_000} minutes.`);
  process.exit(1);
}
