import LightRunner from 'jest-light-runner';
import { threadsOf } from './threads.ts';

// Otherwise, messages in a file or a pipe contain the codes of colors.
if (!process.stdout.isTTY) process.env.FORCE_COLOR ??= '0';

/** How long after a time limit the runner waits for the thread to report that the limit was exceeded. */
const graceMs = (limitMs) => Math.min(5_000, 5 * limitMs);

/** By the ID of the thread. */
const threads = new Map();
process.on('worker', (thread) => threads.set(thread.threadId, thread));

/**
 * Runs the test files in worker threads, on Node's own module loader. This is several times as fast as Jest's default runner,
 * which loads all modules, packages included, again for each file. `limits.ts` limits the times of tests in their own thread. If a
 * test blocks its thread, this class ends the thread, and the file fails.
 */
export default class Runner extends LightRunner {
  constructor(globalConfig, ...configuration) {
    super({ ...globalConfig, maxWorkers: threadsOf(globalConfig.maxWorkers) }, ...configuration);
  }

  async runTests(tests, watcher, onStart, onResult, onFailure) {
    /** By the path of the file. */
    const timers = new Map();
    const progress = new BroadcastChannel('progress of tests');
    progress.onmessage = ({ data: { thread, file, running } }) => {
      clearTimeout(timers.get(file));
      if (running)
        timers.set(
          file,
          setTimeout(endThread, running.limitMs + graceMs(running.limitMs), thread, running.name),
        );
    };
    const ended = (report) => (test, outcome) => {
      clearTimeout(timers.get(test.path));
      return report(test, outcome);
    };
    await super.runTests(tests, watcher, onStart, ended(onResult), ended(onFailure));
    progress.close();
  }
}

/** The pool then starts another thread, and the file fails with the error. */
function endThread(id, name) {
  threads
    .get(id)
    .emit('error', new Error(`${name} did not end. It blocked its thread, so the runner ended the thread.`));
}
