import { readCommandLine } from '../lib/command-line.ts';
import { finish, run, runFiles, runScript, type Totals } from '../test/support/totals.ts';

const usage = `npm run test:all --prefix proof

Runs all tests of the service, and those of this folder that a change must pass, with the mutants of the files that have changed since
their scores were recorded.`;

readCommandLine(usage, {});

/** Runs the mutants of the files that have changed since their scores were recorded. */
function runMutants(): Totals {
  const failed = Number(run('proof/mutation/run.ts', ['--changed']).status !== 0);
  return { passed: 1 - failed, failed, skipped: 0 };
}

finish([
  runScript('test/all.ts'),
  runFiles('--config', 'proof/jest.config.js'),
  runScript('proof/clients/run.ts'),
  runMutants(),
]);
