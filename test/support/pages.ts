import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { referenceIds } from '../../openapi/page/guides.ts'; // @extension docs
import { projectFiles } from '../../tools/files.ts';
import { withRemedy } from './remedy.ts';

const project = join(import.meta.dirname, '../..');

export const files = projectFiles();
/** The texts of a copy link to its own files. */
export const pages = files.filter((file) => file.endsWith('.md') && !file.startsWith('tools/own/texts/'));

export const textOf = (page: string) => readFileSync(join(project, page), 'utf8');

const withoutCode = (text: string) => text.replace(/^( *)```[\s\S]*?^\1```$/gm, '');

/**
 * Checks what the pages name: links, npm scripts, files and folders. Also checks that they repeat no sentence.
 *
 * @param ignored the folder whose files, links and scripts are not checked
 */
export function checkPages(ignored?: string): void {
  const isChecked = (path: string) => ignored === undefined || !`${path}/`.startsWith(`${ignored}/`);
  const checked = pages.filter(isChecked);

  describe('Links in Markdown files', () => {
    test.each(checked)('%s has no broken relative link', (page) => {
      withRemedy(`Correct these links in ${page}, or the headings to which they lead.`, () => {
        const broken = targetsIn(textOf(page)).filter((target) => !resolves(page, target));
        expect(broken.filter((target) => isChecked(fileOf(page, target)))).toEqual([]);
      });
    });
  });

  // The changelog also names scripts of earlier versions.
  test.each(checked.filter((page) => page !== 'CHANGELOG.md'))(
    '%s names only npm scripts that package.json has',
    (page) => {
      const named = textOf(page).matchAll(/\bnpm run (?:-s )?([\w:]+)(?: --prefix (\w+))?/g);
      const unknown = [...named].filter(
        ([, script = '', folder = '.']) => isChecked(folder) && !Object.hasOwn(scriptsOf(folder), script),
      );
      withRemedy(`Correct these scripts in ${page}, or add them to package.json.`, () => {
        expect(unknown.map(([command]) => command)).toEqual([]);
      });
    },
  );

  test.each(checked)('%s names only files and folders that exist', (page) => {
    const named = [...textOf(page).matchAll(/`(\w+)(\/[\w/.-]*)`/g)];
    const paths = named.filter(([, folder = '']) => folders.has(folder) && isChecked(folder));
    withRemedy(`Correct these paths in ${page}.`, () => {
      expect(
        paths
          .map(([, folder, path]) => `${folder}${path}`)
          .filter((path) => !existsSync(join(project, path))),
      ).toEqual([]);
    });
  });

  test.each(checked)('%s links symbols only to files that contain them', (page) => {
    const links = textOf(page).matchAll(/\[`(\w+)`\]\(([^)#]+\.[jt]sx?)\)/g);
    const missing = [...links].filter(
      ([, symbol = '', target = '']) => !new RegExp(`\\b${symbol}\\b`).test(textOf(fileOf(page, target))),
    );
    withRemedy(`Correct these links in ${page}.`, () => {
      expect(missing.map(([link]) => link)).toEqual([]);
    });
  });

  test('no sentence of eight or more words is on two pages', () => {
    const places = new Map<string, string[]>();
    for (const page of checked)
      for (const sentence of new Set(sentencesOf(textOf(page))))
        places.set(sentence, [...(places.get(sentence) ?? []), page]);
    const repeated = [...places].filter(([, found]) => found.length > 1);
    withRemedy('Keep each sentence on one of its pages, and link to it from the others.', () => {
      expect(Object.fromEntries(repeated)).toEqual({});
    });
  });
}

const folders = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]));

function scriptsOf(folder: string): object {
  return JSON.parse(textOf(join(folder, 'package.json'))).scripts;
}

/** Returns the relative targets of a page's links and pictures. */
export function targetsIn(text: string): string[] {
  const links = withoutCode(text).matchAll(/\]\(<?([^)\s>]+)>?\)|\b(?:src|srcset|href)="([^"]+)"/g);
  return [...links]
    .map(([, markdown, html]) => markdown ?? html ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** Returns the path of the file to which a page links, relative to the project. */
function fileOf(page: string, target: string): string {
  const path = target.replace(/#.*/, '');
  return path === '' ? page : relative(project, join(project, dirname(page), path));
}

function resolves(page: string, target: string): boolean {
  const anchor = target.split('#')[1];
  const file = fileOf(page, target);
  if (!existsSync(join(project, file))) return false;
  // @extension docs {
  // A guide can also link to an operation or a problem in the reference, which is on the same page as the guides.
  if (
    target === `#${anchor}` &&
    anchor !== undefined &&
    page.startsWith('docs/guides/') &&
    referenceIds.has(anchor)
  )
    return true;
  // @extension docs }
  return anchor === undefined || (file.endsWith('.md') && anchorsOf(textOf(file)).includes(anchor));
}

/** Returns the anchors of a page's headings, in the form that GitHub generates. */
function anchorsOf(text: string): string[] {
  const headings = [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  const slugs = headings.map((heading) =>
    heading
      .replace(/\]\([^)]*\)/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return slugs.map((slug, i) => {
    const before = slugs.slice(0, i).filter((other) => other === slug).length;
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

/** Returns the sentences with at least eight words in the paragraphs and lists of a page. Ignores tables and code. */
function sentencesOf(text: string): string[] {
  const prose = withoutCode(text).replace(/^(\||#|<|!\[).*$/gm, '');
  return prose
    .split(/\n\s*\n|^ *(?:[-*]|\d+\.) /m)
    .flatMap((paragraph) => paragraph.replace(/\s+/g, ' ').split(/(?<=[.?!:]) /))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(' ').length >= 8);
}
