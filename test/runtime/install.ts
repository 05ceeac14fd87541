import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const runtime = join(folder, 'node_modules/aws-lambda-ric');
const installLog = join(folder, 'install.log');

const buildTimeoutMs = 10 * 60_000;

/** Returns the path of the module that runs a function as Lambda does. Builds it if needed. Undefined if the build fails. */
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
  // On Windows, `npm` is a script, which only a shell can run. npm sets the variable for its scripts.
  spawnSync(process.execPath, [process.env.npm_execpath ?? '', 'ci', '--foreground-scripts'], {
    cwd: folder,
    stdio: ['ignore', log, log],
    timeout: buildTimeoutMs,
  });
  closeSync(log);
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
