import { finish, jest, run, runFiles, runScript, type Totals } from './support/totals.ts';

// Runs all tests that a change must pass, or only jest with the given arguments.

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
