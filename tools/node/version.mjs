// An old version of Node must be able to run this module, so it has no newer syntax.
import { readFileSync } from 'node:fs';

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** The version of Node that `npm ci` installs if it runs on an older major version. */
export const version = dependencies.node;

/** The oldest major version of Node that can run the scripts. */
export const requiredMajor = Number.parseInt(version, 10);

/** True if the Node that runs this module cannot run the scripts. */
export const isOld = Number.parseInt(process.versions.node, 10) < requiredMajor;
