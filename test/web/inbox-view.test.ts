import type { MailPage } from '@rest-actions/local-cloud/mail';
import { addressOf, fragmentOf, newerThan, olderThan, queryOf, summaryOf } from '../../web/inbox/view.ts';

function pageOf(ids: readonly string[], counts: Partial<MailPage> = {}): MailPage {
  const emails = ids.map((messageId) => ({
    messageId,
    from: 'dogs@example.com',
    destination: { to: ['rex@example.com'], cc: [], bcc: [] },
    subject: 'Woof',
    body: { text: 'Bow wow', html: '' },
    at: 1_795_305_600,
  }));
  return { emails, newer: 0, matching: ids.length, total: ids.length, ...counts };
}

const all = { address: '', text: '' };
const filter = { address: 'rex', text: 'bow' };

test.each([
  ...['rex@example.com', 'rex+100%@example.com', 'ä#?&@example.com', ''].map((one) => [fragmentOf(one), one]),
  // A person can have typed these.
  ['#rex@example.com', 'rex@example.com'],
  ['#100%', '100%'],
])('The fragment %j of the inbox contains the address %j', (fragment, address) => {
  expect(addressOf(fragment)).toBe(address);
});

test('The query of a view has only the parts of the view that are set, and the limit', () => {
  expect(queryOf(all)).toBe('limit=50');
  expect(queryOf({ address: 'a+b@example.com', text: '1 & 2', before: '3' })).toBe(
    'address=a%2Bb%40example.com&text=1+%26+2&before=3&limit=50',
  );
});

test.each([
  ['in the middle', pageOf(['5', '4'], { newer: 3, matching: 8 }), '4', '5'],
  ['of the oldest mails', pageOf(['2', '1'], { newer: 3, matching: 5 }), undefined, '2'],
  ['of the newest mails', pageOf(['2', '1'], { matching: 5 }), '1', undefined],
  ['without mails', pageOf([]), undefined, undefined],
])('The pages next to a page %s have the same filter', (_, page, before, after) => {
  expect(olderThan(page, { ...filter, before: '6' })).toEqual(before && { ...filter, before });
  expect(newerThan(page, { ...filter, before: '6' })).toEqual(after && { ...filter, after });
});

test.each([
  [0, 0, all, '0 emails'],
  [1, 1, all, '1 email'],
  [1, 1000, { address: 'rex', text: '' }, '1 of 1,000 emails matches'],
  [12, 1000, { address: '', text: 'bow' }, '12 of 1,000 emails match'],
  [0, 1, { address: '', text: 'bow' }, '0 of 1 email matches'],
])('The number of %i of %i emails for the view %j is "%s"', (matching, total, view, text) => {
  expect(summaryOf(pageOf([], { matching, total }), view)).toBe(text);
});
