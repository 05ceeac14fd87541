// npm runs this module after `npm ci`. On an old version of Node, this module installs a newer one and links it into
// `node_modules/.bin`, where the npm scripts and `npx` find it first.
import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedNode, isOld, version } from './version.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const installed = join(folder, 'node_modules/node');
const programs = join(folder, '../../node_modules/.bin');

/** Returns true if an earlier run has installed this version. The project's `npm ci` does not delete it. */
function isInstalled() {
  try {
    return JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).version === version;
  } catch {
    return false;
  }
}

if (isOld) {
  if (!isInstalled()) {
    console.log(`This is Node ${process.versions.node}. Installing Node ${version} for the npm scripts …`);
    execFileSync(process.execPath, [process.env.npm_execpath, 'ci'], { cwd: folder, stdio: 'inherit' });
  }
  const target = installedNode();
  const link = join(programs, basename(target));
  rmSync(link, { force: true });
  // On Windows, a symbolic link needs a privilege, but a hard link does not.
  if (process.platform === 'win32') linkSync(target, link);
  else symlinkSync(relative(programs, target), link);
}
