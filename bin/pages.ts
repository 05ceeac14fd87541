import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { FilesOfEntries } from '../lib/bundles.ts';
import { openApiDocument } from '../openapi/document.ts';
import { docsPage } from '../openapi/page.ts';

const source = join(import.meta.dirname, '../web/console');

/** Returns the files that functions serve (the console, the API reference and the OpenAPI document), by entry point. */
export function pages(): FilesOfEntries {
  const document = openApiDocument();
  return new Map([
    ['api/console.ts', { 'console.html': consolePage() }],
    ['api/docs.ts', { 'docs.html': docsPage(document) }],
    ['api/openapi.ts', { 'openapi.json': `${JSON.stringify(document)}\n` }],
  ]);
}

/** Returns the console's page with its script and its styles inlined, so that it loads in one request from any URL. */
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
  // The first end tag ends the script element, even if the tag is in a string of the script.
  const script = (outputFiles[0]?.text ?? '').replaceAll('</script', '<\\/script');
  const style = readFileSync(join(source, 'style.css'), 'utf8');
  return readFileSync(join(source, 'index.html'), 'utf8')
    .replace('></style>', () => `>${style}</style>`)
    .replace('></script>', () => `>${script}</script>`);
}
