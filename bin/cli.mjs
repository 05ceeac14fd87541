#!/usr/bin/env node
// The command `dogs`. Any version of Node can run this module, so it has no newer syntax. It runs the rest with the Node of
// the package `node` if this version is too old for it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

if (Number.parseInt(process.versions.node, 10) < 24) {
  const node = ['node', 'node.exe'].map((name) => path(`../node_modules/node/bin/${name}`)).find(existsSync);
  if (!node) await import('./require-node.mjs');
  const { status } = spawnSync(node, [path('cli.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = status === null ? 1 : status;
} else {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(path('../.build/compile-cache'));
  const { main } = await import('./cli/main.ts');
  process.exitCode = await main(process.argv.slice(2));
}
