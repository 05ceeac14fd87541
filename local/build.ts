import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/*
 * npm runs this module before it packs the package, and with `--undo` afterwards. The tarball contains JavaScript, because Node
 * runs no TypeScript below `node_modules`, so its exports differ from those of the workspace.
 */
const path = (name: string) => join(import.meta.dirname, name);
const manifest = JSON.parse(readFileSync(path('package.json'), 'utf8'));
const isUndo = process.argv[2] === '--undo';

rmSync(path('dist'), { recursive: true, force: true });
if (isUndo) rmSync(path('LICENSE'), { force: true });
else {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const compile = [join(typescript, 'bin/tsc'), '--project', path('tsconfig.build.json')];
  execFileSync(process.execPath, compile, { stdio: 'inherit' });
  copyFileSync(path('ses/inbox.html'), path('dist/ses/inbox.html'));
  copyFileSync(path('../LICENSE'), path('LICENSE'));
}
for (const [entry, file] of Object.entries<string>(manifest.exports))
  manifest.exports[entry] = isUndo
    ? file.replace(/^\.\/dist\/(.*)\.js$/, './$1.ts')
    : file.replace(/^\.\/(.*)\.ts$/, './dist/$1.js');
writeFileSync(path('package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
