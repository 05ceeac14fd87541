// An old version of Node must be able to run this module, so it avoids newer syntax.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** The version of Node that `npm ci` installs when it runs on an older major version. */
export const version = dependencies.node;

/** The oldest major version that can run the scripts. */
const requiredMajor = Number.parseInt(version, 10);

/** True if the Node that runs this module cannot run the scripts. */
export const isOld = Number.parseInt(process.versions.node, 10) < requiredMajor;

/** Printed when no installed Node can run the scripts. */
export const tooOld =
  `This is Node ${process.versions.node}, but the service needs Node ${requiredMajor} or later. Run \`npm ci\` without ` +
  `--ignore-scripts: it installs Node ${requiredMajor} for the npm scripts.`;

const program = process.platform === 'win32' ? 'node.exe' : 'node';

/** Returns undefined if `npm ci` has not installed Node. */
export function installedNode() {
  const file = fileURLToPath(new URL(`node_modules/node/bin/${program}`, import.meta.url));
  return existsSync(file) ? file : undefined;
}
