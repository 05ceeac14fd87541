import { longestFrequency, shortestFrequency } from '../../lambdas/contract/bark-schedule.ts';
import { guideOf, guides } from '../../openapi/page/guides.ts';

const titled = (markdown: string) => `# Title\n\n${markdown}`;
const htmlOf = (markdown: string) => guideOf('walks', titled(markdown)).html.html;

/** Returns the language and the text of each block of an example. */
const blocksIn = (html: string) =>
  [...html.matchAll(/data-language="(\w+)"><p[^>]*>\w+<\/p><pre><code>(.*?)<\/code>/gs)].map(
    ([, language, code = '']) => [
      language,
      code
        .replace(/<[^>]*>/g, '')
        .replace(/&(quot|lt|gt|amp|#x27);/g, (_, name: string) => characters[name] ?? ''),
    ],
  );
const characters: Record<string, string> = { quot: '"', lt: '<', gt: '>', amp: '&', '#x27': "'" };

describe('guideOf', () => {
  test('returns the ID, the title and the HTML of a document', () => {
    expect(guideOf('walks', '# Long *walks*\n\nWalk **far**.\n')).toEqual({
      id: 'walks',
      title: 'Long *walks*',
      html: { html: '<p>Walk <strong>far</strong>.</p>\n' },
    });
  });

  test('leaves out comments', () => {
    expect(htmlOf('<!-- one -->\n\nText. <!-- two -->\n')).toBe('<p>Text. </p>\n');
  });

  test('prefixes the IDs of headings and lowers their level', () => {
    expect(htmlOf('## The `Idempotency-Key`, again')).toBe(
      '<h3 id="walks-the-idempotency-key-again"><a class="anchor" href="#walks-the-idempotency-key-again">The <code>Idempotency-Key</code>, again</a></h3>\n',
    );
  });

  test('shows adjacent code blocks in different languages as one example', () => {
    const shown = htmlOf('```sh\ncurl "<&>"\n```\n\n```ts\nfetch();\n```\n\n```python\nopen()\n```\n') ?? '';
    expect(shown.match(/<figure/g)).toHaveLength(1);
    expect(blocksIn(shown)).toEqual([
      ['curl', 'curl "<&>"'],
      ['typescript', 'fetch();'],
      ['python', 'open()'],
    ]);
  });

  test('shows single code blocks, other languages and blocks with text in between separately', () => {
    const shown = htmlOf('```sh\na\n```\n\n```http\nb\n```\n\n```sh\nc\n```\n\nText\n\n```ts\nd\n```') ?? '';
    expect([...shown.matchAll(/<code>(.*?)<\/code>/g)].map(([, code]) => code)).toEqual(['a', 'b', 'c', 'd']);
    expect(shown.match(/<figure/g)).toHaveLength(4);
    expect(shown).not.toContain('data-language');
  });

  test('begins a new example with the second block in the same language', () => {
    const group = '```sh\na\n```\n\n```ts\nb\n```\n\n```python\nc\n```\n\n';
    expect(htmlOf(group + group)?.match(/<figure/g)).toHaveLength(2);
  });

  test.each([
    [
      'https://www.rfc-editor.org/rfc/rfc9110#section-13',
      'https://www.rfc-editor.org/rfc/rfc9110#section-13',
    ],
    ['#far', '#walks-far'],
    ['naps.md', '#naps'],
    ['naps.md#long-naps', '#naps-long-naps'],
    ['#PostBarks', '#PostBarks'],
    ['#problem-dog-not-found', '#problem-dog-not-found'],
  ])('changes a link to %s into %s', (target, href) => {
    expect(htmlOf(`[link](${target})`)).toContain(`<p><a href="${href}">link</a></p>`);
  });

  test.each<[string, string, string]>([
    [
      'an example lacks a language',
      '```sh\na\n```\n\n```ts\nb\n```\n',
      'An example has no code in the language python.',
    ],
    ...['../testing.md', 'javascript:alert(1)'].map((target): [string, string, string] => [
      `a document links to ${target}`,
      `[link](${target})`,
      `The guide walks links to ${target}, which is not on the page.`,
    ]),
  ])('throws if %s', (_, markdown, message) => {
    expect(() => htmlOf(markdown)).toThrow(message);
  });

  test('throws if the document has no title', () => {
    expect(() => guideOf('walks', 'Text')).toThrow('The guide walks does not begin with a title.');
  });

  test('escapes text and code', () => {
    expect(htmlOf('1 < 2 & `<base64>`')).toBe('<p>1 &lt; 2 &amp; <code>&lt;base64&gt;</code></p>\n');
  });
});

describe('guides', () => {
  test.each(guides())(
    '$id has only examples in all languages, or blocks that show output or set variables',
    ({ html }) => {
      expect(html.html).toContain('data-language');
      for (const [, title] of html.html.matchAll(/<span class="title">(.*?)<\/span>/g))
        expect(['Shell', 'Response', 'Output']).toContain(title);
    },
  );

  test('schedules has the range of the frequency', () => {
    const html = guides().find(({ id }) => id === 'schedules')?.html.html;
    expect(html).toContain(`from ${shortestFrequency} to ${longestFrequency};`);
  });
});
