import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const runtime = join(folder, 'node_modules/aws-lambda-ric');
const installLog = join(folder, 'install.log');

/** How long building it may take, in milliseconds. */
const timeout = 10 * 60_000;

/** The module that runs a function as Lambda does; undefined where it cannot be built. */
export function installedRuntime(): string | undefined {
  if (!isInstalled()) install();
  return isInstalled() ? join(runtime, 'index.mjs') : undefined;
}

/** What it takes: a compiler, CMake and make, and a network. */
export const notInstalled = `AWS's runtime for Node.js cannot be built here: ${installLog} tells why.`;

/** Its part in C++ is there when it was built. */
function isInstalled(): boolean {
  if (!existsSync(join(runtime, 'rapid-client.node'))) return false;
  const { dependencies } = readJson(join(folder, 'package.json'));
  return readJson(join(runtime, 'package.json')).version === dependencies['aws-lambda-ric'];
}

function install(): void {
  console.log("Building AWS's runtime for Node.js …");
  const log = openSync(installLog, 'w');
  spawnSync('npm', ['ci', '--foreground-scripts'], { cwd: folder, stdio: ['ignore', log, log], timeout });
  closeSync(log);
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
