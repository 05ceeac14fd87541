import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { processTerminal } from './cli/terminal.ts';
import { main } from './deploy/main.ts';
import type { DeployCommand } from './deploy/options.ts';

const project = join(import.meta.dirname, '..');

function runCdk(args: readonly string[]): number {
  const cdk = join(project, 'node_modules/aws-cdk/bin/cdk');
  return spawnSync(process.execPath, [cdk, ...args], { cwd: project, stdio: 'inherit' }).status ?? 1;
}

// package.json has a script for each command.
const [command, ...args] = process.argv.slice(2);
process.exitCode = await main(command as DeployCommand, args, { terminal: processTerminal(), runCdk });
// A connection that is still waiting for a response would keep the process alive.
process.exit();
