import { spawnSync } from 'node:child_process';
import { install } from './install.ts';

/** Runs all checks, even after one has failed. The last lines list the results and remedies. */

const checks = [
  ['lint', 'run npm run format, and correct what remains'],
  ['lint:imports', 'change the import, or the rule in .dependency-cruiser.js'],
  ['lint:dead', 'delete what nothing uses, or list the file that uses it in knip.jsonc'],
  ['typecheck', 'correct the types; npm run openapi generates those of the client'],
  ['typecheck:web', 'correct the types in web/; npm run openapi generates those of the client'],
] as const;

for (const folder of ['test/clients', 'test/mutation', 'tools/lint']) install(folder);
const results = checks.map(([script, remedy]) => {
  const { status } = spawnSync(process.execPath, ['--run', script], { stdio: 'inherit' });
  return { script, remedy, hasPassed: status === 0 };
});
console.log();
for (const { script, remedy, hasPassed } of results)
  console.log(hasPassed ? `passed  npm run ${script}` : `FAILED  npm run ${script}: ${remedy}`);
process.exitCode = results.every(({ hasPassed }) => hasPassed) ? 0 : 1;
