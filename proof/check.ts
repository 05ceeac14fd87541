import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { install } from '../tools/install.ts';

// `npm run check` of the service also formats and lints this folder, and checks its imports.

const project = resolve(import.meta.dirname, '..');
for (const folder of ['tools/lint', 'proof/clients', 'proof/mutation']) install(resolve(project, folder));

const checks = [
  ['node_modules/typescript/bin/tsc', '--project', 'proof'],
  ['tools/lint/node_modules/knip/bin/knip.js', '--config', 'proof/knip.jsonc', '--exclude', 'dependencies'],
];
const failed = checks.filter(
  (command) => spawnSync(process.execPath, command, { cwd: project, stdio: 'inherit' }).status !== 0,
);
for (const command of failed) console.error(`FAILED  node ${command.join(' ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
