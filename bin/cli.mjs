#!/usr/bin/env node
// The command `dogs`. Old versions of Node must be able to run this module, so it avoids newer syntax. On an old version, the
// module runs itself again with the Node that `npm ci` has installed, if any.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { explainMissingPackage } from '../tools/node/packages.mjs';
import { installedNode, isOld, tooOld } from '../tools/node/version.mjs';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

if (!isOld) {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(path('../.build/compile-cache'));
  const module = await import('./cli/main.ts').catch(explainMissingPackage);
  if (module) process.exitCode = await module.main(process.argv.slice(2));
} else if (installedNode()) {
  const parameters = [path('cli.mjs'), ...process.argv.slice(2)];
  const { status } = spawnSync(installedNode(), parameters, { stdio: 'inherit' });
  process.exitCode = status === null ? 1 : status;
} else {
  console.error(tooOld);
  process.exitCode = 1;
}
