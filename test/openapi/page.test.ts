import { type ProblemType, problemUri } from '../../lambdas/contract/problem-types.ts';
import { routes } from '../../lambdas/contract/routes.ts';
import { openApiDocument } from '../../openapi/document.ts';
import { docsPage } from '../../openapi/page.ts';
import type { Document } from '../../openapi/types.ts';

const document = openApiDocument();
const page = docsPage(document);
const all = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, found = '']) => found);

const ids = all(/ id="([^"]*)"/g);
const targets = all(/href="#([^"]*)"/g);

describe('The page /docs', () => {
  test.each(routes.map(({ name, summary, path }) => ({ name, summary, path })))(
    'shows $name, and the contents link to it',
    ({ name, summary }) => {
      expect(ids).toContain(name);
      expect(targets).toContain(name);
      expect(page).toContain(summary.replaceAll("'", '&#39;'));
    },
  );

  test('shows each schema', () => {
    for (const name of Object.keys(document.components.schemas)) expect(ids).toContain(`schema-${name}`);
  });

  test.each(Object.entries(document['x-problem-types']))(
    'describes the problem %s at the fragment of its type, and an operation links to it',
    (slug, { title, remedy }) => {
      const [, fragment = ''] = problemUri(slug as ProblemType, '').split('#');
      expect(ids).toContain(fragment);
      expect(targets).toContain(fragment);
      const plain = page.replace(/<\/?code>/g, '');
      const escaped = (text: string) =>
        text.replaceAll('`', '').replace(/["']/g, (character) => `&#${character.charCodeAt(0)};`);
      expect(plain).toContain(`>${escaped(title)}</h3>`);
      expect(plain).toContain(escaped(remedy));
    },
  );

  test('has unique IDs, and links only to existing IDs', () => {
    expect(ids).toEqual([...new Set(ids)]);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
    expect(all(/aria-labelledby="([^"]*)"/g).filter((label) => !ids.includes(label))).toEqual([]);
  });

  test('loads nothing, and links only to the OpenAPI document', () => {
    expect(page).not.toMatch(/<(script|link|img|iframe|base|form)\b/);
    expect(page).not.toMatch(/\b(src|style|on\w+)=/);
    expect(page).not.toMatch(/url\(|@import/);
    expect([...new Set(all(/href="([^#][^"]*)"/g))]).toEqual(['{{root}}openapi.json']);
  });

  test('shows no missing value', () => {
    expect(page).not.toMatch(/undefined|\[object|NaN/);
  });

  test('has one main heading, a heading for each section, and landmarks', () => {
    for (const tag of ['h1', 'header', 'main', 'nav', 'title'])
      expect(all(new RegExp(`(<${tag}[ >])`, 'g'))).toHaveLength(1);
    expect(all(/(<h2)/g).length).toBeGreaterThan(5);
  });

  test('escapes the text of the description', () => {
    const odd = '<script>alert("&")</script>';
    const changed: Document = { ...document, info: { ...document.info, title: odd, description: odd } };
    expect(docsPage(changed)).not.toContain('<script');
    expect(docsPage(changed)).toContain('&#60;script&#62;alert(&#34;&#38;&#34;)&#60;/script&#62;');
  });
});
