import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { FilesOfEntries } from '../lib/bundles.ts';
import { openApiDocument } from '../openapi/document.ts';
import { docsPage } from '../openapi/page.ts';

const web = join(import.meta.dirname, '../web');

/** Returns the files that functions serve (the console, the documentation page and the OpenAPI document), by entry point. */
export async function pages(): Promise<FilesOfEntries> {
  const document = openApiDocument();
  const [console, documentation] = await Promise.all([consolePage(), withAssets(docsPage(document), 'docs')]);
  return new Map([
    ['api/console.ts', { 'console.html': console }],
    ['api/docs.ts', { 'docs.html': documentation }],
    ['api/openapi.ts', { 'openapi.json': `${JSON.stringify(document)}\n` }],
  ]);
}

/** @param entryPoint the path of the script that shows the page */
export async function consolePage(entryPoint?: string): Promise<string> {
  return withAssets(readFileSync(join(web, 'console/index.html'), 'utf8'), 'console', entryPoint);
}

/**
 * Inlines the header, the page's script and its styles, so that the page loads in one request from any URL.
 *
 * @param template HTML with an empty `style` and an empty `script` element, and `{{header}}` where the header belongs
 * @param folder the folder in `web` that contains `main.tsx` and `style.css`
 */
async function withAssets(
  template: string,
  folder: string,
  entryPoint = join(web, folder, 'main.tsx'),
): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: { script: entryPoint, style: join(web, folder, 'style.css') },
    outdir: '/',
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    inject: [join(web, 'jsx.ts')],
    // Otherwise esbuild would take the JSX options from tsconfig.json.
    tsconfigRaw: {},
    // Shortens the names of MiniSearch's private members.
    mangleProps: /^_[a-z]/,
    legalComments: 'none',
    write: false,
  });
  const output = (extension: string) =>
    outputFiles.find(({ path }) => path.endsWith(extension))?.text.trim() ?? '';
  // The first end tag ends the script element, even inside a string.
  const script = output('.js').replaceAll('</script', '<\\/script');
  return template
    .replace('{{header}}', () => readFileSync(join(web, 'shared/header.html'), 'utf8').trim())
    .replace('></style>', () => `>${output('.css')}</style>`)
    .replace('></script>', () => `>${script}</script>`);
}
