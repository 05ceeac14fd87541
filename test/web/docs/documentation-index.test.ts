import { DocumentationIndex, type Section } from '../../../web/docs/documentation-index.ts';
import { servedFile } from '../../support/served-files.ts';

const inlineTags = /<\/?(?:a|abbr|b|code|em|i|kbd|mark|span|strong|var|wbr)\b[^>]*>/g;

function plain(html: string): string {
  return html
    .replace(/<(button|script|style|svg)\b.*?<\/\1>/gs, '')
    .replace(/\s+/g, ' ')
    .replace(inlineTags, '')
    .replace(/<[^>]*>/g, '\n')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
}

/** Returns the sections of the page, as the browser reads them from the DOM. */
function sectionsOf(page: string): Section[] {
  const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? [];
  const headings = [...main.matchAll(/<h([1-3])\b[^>]* id="([^"]*)"[^>]*>(.*?)<\/h\1>/gs)];
  return headings.map(({ 0: heading, 1: level, 2: id = '', 3: title = '', index }, i) => ({
    id,
    level: Number(level),
    title: plain(title),
    text: plain(main.slice(index + heading.length, headings[i + 1]?.index)),
  }));
}

const index = new DocumentationIndex(sectionsOf(servedFile('docs.html')));

const fragmentsOf = (found: readonly Section[]) => found.map(({ id }) => id);

describe('the index of the documentation', () => {
  test.each([
    ['cancel', ['asynchronous-barks-cancel-a-bark', 'DeleteBark']],
    ['412', ['problem-precondition-failed']],
    ['refresh token', ['IssueToken']],
    ['if-match', ['preconditions', 'first-bark-conditional-requests']],
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

  test('states in which part of the page a section is', () => {
    const [found] = index.search('no longer cancel').filter(({ id }) => id.endsWith('-not-cancellable'));
    expect(found).toMatchObject({ title: 'The bark can no longer be cancelled', parent: 'Problems' });
  });
});
