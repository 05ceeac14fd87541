import { showHelp } from '../lib/command-line.ts';
import { finish, jest, run, runFiles, runScript, type Totals } from './support/totals.ts';

const usage = `npm run test:all [-- argument of Jest …]

Runs all tests that a change to the service must pass. With arguments, runs only Jest, with the tests in the folders named details.`;

showHelp(usage);

/** What is skipped counts as a failure. */
function runRuntime(): Totals {
  const { passed, failed, skipped } = runScript('test/runtime/run.ts');
  return { passed, failed: failed + skipped, skipped: 0 };
}

const parameters = process.argv.slice(2);
if (parameters.length > 0) {
  process.exitCode = run(jest, parameters).status ?? 1;
} else {
  finish([runFiles(), runRuntime()]);
}
