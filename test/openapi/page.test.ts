import { type ProblemType, problemUri } from '../../lambdas/contract/problem-types.ts';
import { routes } from '../../lambdas/contract/routes.ts';
import type { Document } from '../../openapi/document.ts';
import { openApiDocument } from '../../openapi/document.ts';
import { formOf, operationsOf, snippetsOf } from '../../openapi/page/request.ts';
import { docsPage } from '../../openapi/page.ts';
import { languages } from '../../web/shared/http/snippets/snippet.ts';

const document = openApiDocument();
const page = docsPage(document);
const all = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, found = '']) => found);

const ids = all(/ id="([^"]*)"/g);
const targets = all(/href="#([^"]*)"/g);

function articleOf(operationId: string): string {
  return page.slice(page.indexOf(`aria-labelledby="${operationId}"`)).split('</article>', 1)[0] ?? '';
}

describe('The page /docs', () => {
  test('shows each schema', () => {
    for (const name of Object.keys(document.components.schemas)) expect(ids).toContain(`schema-${name}`);
  });

  test.each(Object.entries(document['x-problem-types']))(
    'describes the problem %s at the fragment of its type, and an operation links to it',
    (slug, { title, remedy }) => {
      const [, fragment = ''] = problemUri(slug as ProblemType, '').split('#');
      expect(ids).toContain(fragment);
      // The whole page would be the message of `toContain`.
      expect(page.includes(`<a href="#${fragment}"><code>${slug}</code></a>`)).toBe(true);
      const plain = page.replace(/<\/?code>/g, '');
      const escaped = (text: string) =>
        text.replaceAll('`', '').replace(/["']/g, (character) => `&#${character.charCodeAt(0)};`);
      expect(plain).toContain(`>${escaped(title)}</a></h3>`);
      expect(plain).toContain(escaped(remedy));
    },
  );

  test('has unique IDs, and links only to existing IDs', () => {
    expect(ids).toEqual([...new Set(ids)]);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
    expect(all(/aria-labelledby="([^"]*)"/g).filter((label) => !ids.includes(label))).toEqual([]);
  });

  test('loads nothing, and links only to the OpenAPI document and to other sites', () => {
    expect(all(/<((?:script|link|img|iframe|base|form)\b[^>]*)>/g)).toEqual([
      expect.stringMatching(/^link rel="icon" href="data:image\/svg\+xml,[^"]*"$/),
      'script type="module"',
    ]);
    expect(page).toContain('<script type="module"></script>');
    expect(page).not.toMatch(/\b(src|style|on\w+)=/);
    expect(page).not.toMatch(/url\(|@import/);
    const links = new Set(all(/href="([^#][^"]*)"/g));
    expect([...links].filter((link) => !/^(https:|data:)/.test(link))).toEqual(['{{root}}openapi.json']);
  });

  test('links each heading of a section to itself', () => {
    const main = page.slice(page.indexOf('<main'));
    for (const [, id, content] of main.matchAll(/<h[234] id="([^"]*)">(.*)<\/h[234]>/g))
      expect(content).toMatch(new RegExp(`^<a class="anchor" href="#${id}">.*</a>$`));
    expect(main.match(/<h[234]/g)).toHaveLength(main.match(/<a class="anchor"/g)?.length ?? 0);
  });

  test.each(operationsOf(document).map((placed) => ({ ...placed, name: placed.operation.operationId })))(
    'shows the request of $name in each language, and the data of its form',
    (placed) => {
      expect(targets).toContain(placed.name);
      const article = articleOf(placed.name);
      expect(article).toContain(placed.operation.summary.replaceAll("'", '&#39;'));
      const blocks = [
        ...article.matchAll(/data-language="(\w+)"><p[^>]*>\w+<\/p><pre><code>(.*?)<\/code>/gs),
      ];
      expect(blocks.map(([, language]) => language)).toEqual(languages);
      const path = placed.path
        .replace('{dog_id}', 'rex')
        .replace('{bark_id}', 'a01M7XTJQRGHZ3MM2X05VM3ARQN')
        .replace('{token}', 'q7Zt0pXv2mB9sU4wKc1yLrAe');
      for (const [, language, code = ''] of blocks)
        expect(code.replace(/<[^>]*>/g, '')).toContain(
          language === 'typescript' ? `&#x27;${placed.path}&#x27;` : `https://dogs.example.com${path}`,
        );
      const [, form = ''] = /data-form="([^"]*)"/.exec(article) ?? [];
      const text = form.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
      expect(JSON.parse(text)).toEqual(formOf(placed));
    },
  );

  test('describes each precondition once, and each operation that has it links to the description', () => {
    for (const { name, description } of Object.values(document.components.parameters)) {
      const plain = description.replaceAll('`', '');
      expect(page.replace(/<\/?code>/g, '').split(plain)).toHaveLength(2);
      expect(all(new RegExp(`<dt><code>(${name})</code>`, 'g')).length).toBeGreaterThan(0);
    }
    for (const { operation, commonParameters } of operationsOf(document)) {
      const lines = articleOf(operation.operationId).match(/<a href="#preconditions">.*/g) ?? [];
      expect(lines).toHaveLength(commonParameters.length > 0 ? 1 : 0);
      for (const { name } of commonParameters) expect(lines[0]).toContain(`<code>${name}</code>`);
    }
    expect(ids.filter((id) => /^common-(NotModified|PreconditionFailed)$/.test(id))).toHaveLength(2);
    expect(page.match(/class="status s.">(304|412)</g)).toHaveLength(2);
  });

  test('sends no credentials in the examples of operations that require none', () => {
    const forms = operationsOf(document).map((placed) => ({
      form: formOf(placed),
      texts: snippetsOf(placed),
    }));
    for (const { form, texts } of forms)
      expect(/Authorization|curl -iu/.test(Object.values(texts).join())).toBe(!form.isPublic);
    const publicRoutes = routes.filter(({ access }) => access === 'public');
    expect(forms.filter(({ form }) => form.isPublic)).toHaveLength(publicRoutes.length);
  });

  test('shows no missing value', () => {
    // The code in the guides can contain these words.
    const reference = page.replace(/<article class="guide".*?<\/article>/gs, '');
    expect(reference).not.toMatch(/undefined|\[object|NaN/);
  });

  test('escapes the text of the description', () => {
    const odd = '<script>alert("&")</script>';
    const changed: Document = { ...document, info: { ...document.info, title: odd, description: odd } };
    const changedPage = docsPage(changed);
    expect(changedPage).not.toContain('<script>');
    expect(changedPage).toContain('&#60;script&#62;alert(&#34;&#38;&#34;)&#60;/script&#62;');
  });
});
