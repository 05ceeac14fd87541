import {
  type Block,
  DocumentationIndex,
  type FoundSection,
  sectionsOf,
} from '../../../../web/docs/search/documentation-index.ts';
import type { Part } from '../../../../web/docs/search/marks.ts';
import { servedFile } from '../../../support/served-files.ts';

const inlineTags = /<\/?(?:a|abbr|b|code|em|i|kbd|mark|span|strong|var|wbr)\b[^>]*>/g;

function plain(html: string): string {
  return html
    .replace(/<(button|script|style|svg)\b.*?<\/\1>/gs, '')
    .replace(/\s+/g, ' ')
    .replace(inlineTags, '')
    .replace(/<[^>]*>/g, '\n')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
}

/** Returns the blocks of the page, as the browser reads them from the DOM. */
function blocksOf(page: string): Block[] {
  const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? [];
  const headings = [...main.matchAll(/<h([1-3])\b[^>]* id="([^"]*)"[^>]*>(.*?)<\/h\1>/gs)];
  return headings.map(({ 0: heading, 1: level, 2: id = '', 3: title = '', index }, i) => ({
    id,
    level: Number(level),
    title: plain(title),
    text: plain(main.slice(index + heading.length, headings[i + 1]?.index)),
  }));
}

const sections = sectionsOf(blocksOf(servedFile('docs.html')));
const index = new DocumentationIndex(sections);

const fragmentsOf = (found: readonly FoundSection[]) => found.map(({ url }) => url.slice(1));
const textOf = (parts: readonly Part[]) => parts.map(({ text }) => text).join('');
const matchesIn = (parts: readonly Part[]) =>
  parts.filter(({ isMatch }) => isMatch).map(({ text }) => text.toLowerCase());

describe('the index of the documentation', () => {
  test.each([
    ['cancel', ['asynchronous-barks-cancel-a-bark', 'DeleteBark']],
    ['412', ['problem-precondition-failed']],
    ['refresh token', ['IssueToken']],
    ['if-match', ['problem-invalid-entity-tag']],
    ['idempotncy', ['problem-invalid-idempotency-key', 'problem-idempotency-key-reused']],
    ['rate', ['PostBarks', 'PatchDog']],
    ['DogRequest'.toLowerCase(), ['schema-DogRequest']],
    ['post bark-schedule', ['PostBarkSchedule']],
  ])('finds %j in the expected sections', (query, expected) => {
    expect(fragmentsOf(index.search(query)).slice(0, 3)).toEqual(expect.arrayContaining(expected));
  });

  test.each([
    ['no section with a similar word', 'xylophone', []],
    ['no section for the ID of a dog that contains a common word', 'dog-1', []],
    [
      'sections with some of the words if no section has all of them',
      'jwks xylophone',
      ['GetKeys', 'tokens-verify-an-access-token'],
    ],
  ])('finds %s', (_, query, expected) => {
    expect(fragmentsOf(index.search(query))).toEqual(expected);
  });

  test('does not find other numbers', () => {
    expect(fragmentsOf(index.search('412'))).not.toContain('problem-body-too-large');
  });

  test('marks the matches in the title and in the excerpt', () => {
    const [found] = index.search('no longer cancel').filter(({ url }) => url.endsWith('-not-cancellable'));
    expect(found?.parent).toBe('Problems');
    expect(textOf(found?.title ?? [])).toBe('The bark can no longer be cancelled');
    expect(matchesIn(found?.title ?? [])).toEqual(['no', 'longer', 'cancelled']);
    expect(matchesIn(index.search('jwks')[0]?.excerpt ?? [])).toContain('jwks');
  });

  test('has an outline with the main parts of the page', () => {
    expect(fragmentsOf(index.outline)).toEqual(expect.arrayContaining(['group-dogs', 'problems', 'schemas']));
    expect(fragmentsOf(index.outline)).not.toContain('GetDog');
  });
});
