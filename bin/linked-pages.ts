import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import type { FilesOfEntries } from '../lib/bundles.ts';
import type { Document } from '../openapi/document.ts';

/** A page to which the header of all pages links. Its file in `bin/pages` has the name of its function and of its folder in `web`. */
export interface LinkedPage {
  readonly link: { readonly path: string; readonly text: string };
  /**
   * Returns HTML with an empty `style` and an empty `script` element. `{{header}}` stands for the header, and `{{root}}` for the
   * service's URL.
   */
  template(document: Document): string;
}

const web = join(import.meta.dirname, '../web');

/** By name, in the order of the links. */
const pages = new Map<string, LinkedPage>(
  await Promise.all(
    globSync('pages/*.ts', { cwd: import.meta.dirname })
      .sort()
      .map(async (file) => [basename(file, '.ts'), (await import(`./${file}`)).page] as const),
  ),
);

/**
 * Returns the file of each page, by the entry point of the function that serves it.
 *
 * @param scripts the paths of scripts that replace those of pages, by the name of the page
 */
export async function filesOfPages(
  document: Document,
  scripts: Readonly<Record<string, string>> = {},
): Promise<FilesOfEntries> {
  const files = [...pages].map(async ([name, page]) => {
    const html = await withAssets(page.template(document), name, scripts[name]);
    return [`api/${name}.ts`, { [`${name}.html`]: html }] as const;
  });
  return new Map(await Promise.all(files));
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
    .replace('{{header}}', header)
    .replace('></style>', () => `>${output('.css')}</style>`)
    .replace('></script>', () => `>${script}</script>`);
}

/** Returns the header with the links to all pages. The name of the service is a link to the first one. */
function header(): string {
  const links = [...pages.values()].map(({ link: { path, text } }) => ({ path: path.slice(1), text }));
  const items = links.map(({ path, text }) => `<a data-path="/${path}" href="{{root}}${path}">${text}</a>`);
  return readFileSync(join(web, 'shared/header.html'), 'utf8')
    .trim()
    .replaceAll('{{home}}', links[0]?.path ?? '')
    .replace('{{links}}', items.join('\n    '));
}
