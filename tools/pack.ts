import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/*
 * npm runs this module in the folder of a package before it packs the package, and with `--undo` afterwards. The tarball contains
 * JavaScript, because Node runs no TypeScript below `node_modules`, so its exports differ from those of the folder.
 */
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const isUndo = process.argv[2] === '--undo';

rmSync('dist', { recursive: true, force: true });
if (isUndo) rmSync('LICENSE', { force: true });
else {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const compile = [join(typescript, 'bin/tsc'), '--project', 'tsconfig.build.json'];
  execFileSync(process.execPath, compile, { stdio: 'inherit' });
  // The compiler copies no pages.
  for (const page of globSync('**/*.html', { exclude: ['dist', 'node_modules'] }))
    copyFileSync(page, join('dist', page));
  copyFileSync(join(import.meta.dirname, '../LICENSE'), 'LICENSE');
}
for (const [entry, file] of Object.entries<string>(manifest.exports))
  manifest.exports[entry] = isUndo
    ? file.replace(/^\.\/dist\/(.*)\.js$/, './$1.ts')
    : file.replace(/^\.\/(.*)\.ts$/, './dist/$1.js');
writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
