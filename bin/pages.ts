import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { FilesOfEntries } from '../lib/bundles.ts';
import { openApiDocument } from '../openapi/document.ts';
import { docsPage } from '../openapi/page.ts';

const source = join(import.meta.dirname, '../console');

/** Returns the pages and the description of the interface that functions serve. */
export function pages(): FilesOfEntries {
  const document = openApiDocument();
  return new Map([
    ['api/console.ts', { 'console.html': consolePage() }],
    ['api/docs.ts', { 'docs.html': docsPage(document) }],
    ['api/openapi.ts', { 'openapi.json': `${JSON.stringify(document)}\n` }],
  ]);
}

/** Returns a page that contains its script and its style, so that it loads in one request from any address. */
function consolePage(): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(source, 'main.ts')],
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    write: false,
  });
  // The first end tag ends the script element, even in a string of the script.
  const script = (outputFiles[0]?.text ?? '').replaceAll('</script', '<\\/script');
  const style = readFileSync(join(source, 'style.css'), 'utf8');
  return readFileSync(join(source, 'index.html'), 'utf8')
    .replace('></style>', () => `>${style}</style>`)
    .replace('></script>', () => `>${script}</script>`);
}
