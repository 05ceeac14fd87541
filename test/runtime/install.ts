import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const runtime = join(folder, 'node_modules/aws-lambda-ric');
const installLog = join(folder, 'install.log');

/** The maximum duration of the build. */
const buildTimeoutMs = 10 * 60_000;

/**
 * Returns the path of the module that runs a function as Lambda does. Builds it first if it is not installed.
 *
 * @returns undefined if the build fails
 */
export function installedRuntime(): string | undefined {
  if (!isInstalled()) install();
  return isInstalled() ? join(runtime, 'index.mjs') : undefined;
}

/** The build needs a C++ compiler, CMake, make and a network. */
export const notInstalled = `The build of AWS's runtime for Node.js failed. The reason is in ${installLog}.`;

/** Returns whether the current version of the runtime is built. The build produces the part that is written in C++. */
function isInstalled(): boolean {
  if (!existsSync(join(runtime, 'rapid-client.node'))) return false;
  const { dependencies } = readJson(join(folder, 'package.json'));
  return readJson(join(runtime, 'package.json')).version === dependencies['aws-lambda-ric'];
}

function install(): void {
  console.log("Building AWS's runtime for Node.js …");
  const log = openSync(installLog, 'w');
  spawnSync('npm', ['ci', '--foreground-scripts'], {
    cwd: folder,
    stdio: ['ignore', log, log],
    timeout: buildTimeoutMs,
  });
  closeSync(log);
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
