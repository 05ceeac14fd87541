import type { MailPage } from '../../local/ses/mail.ts';
import {
  addressOf,
  fragmentOf,
  newerThan,
  olderThan,
  queryOf,
  rangeOf,
  summaryOf,
} from '../../web/inbox/view.ts';

/** Returns a page whose mails have the given IDs. */
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

describe('The fragment of the inbox', () => {
  test.each(['rex@example.com', 'rex+100%@example.com', 'ä#?&@example.com', ''])(
    'contains the address %j',
    (address) => {
      expect(addressOf(fragmentOf(address))).toBe(address);
    },
  );

  test.each([
    ['#rex@example.com', 'rex@example.com'],
    ['#100%', '100%'],
    ['', ''],
  ])('can be %j, which a person typed', (fragment, address) => {
    expect(addressOf(fragment)).toBe(address);
  });
});

describe('The query of a view', () => {
  test('has only the parts of the view that are set, and the limit', () => {
    expect(queryOf(all)).toBe('limit=50');
    expect(queryOf({ address: 'a+b@example.com', text: '1 & 2', before: '3' })).toBe(
      'address=a%2Bb%40example.com&text=1+%26+2&before=3&limit=50',
    );
  });
});

describe('The next page', () => {
  const filter = { address: 'rex', text: 'bow' };

  test('is before the last mail or after the first one, with the same filter', () => {
    const middle = pageOf(['5', '4'], { newer: 3, matching: 8 });
    expect(olderThan(middle, { ...filter, before: '6' })).toEqual({ ...filter, before: '4' });
    expect(newerThan(middle, { ...filter, before: '6' })).toEqual({ ...filter, after: '5' });
  });

  test('does not exist before the oldest mail or after the newest one', () => {
    expect(olderThan(pageOf(['2', '1'], { newer: 3, matching: 5 }), filter)).toBeUndefined();
    expect(newerThan(pageOf(['2', '1'], { matching: 5 }), filter)).toBeUndefined();
    expect([olderThan(pageOf([]), all), newerThan(pageOf([]), all)]).toEqual([undefined, undefined]);
  });
});

describe('The number of emails', () => {
  test.each([
    [0, '0 emails'],
    [1, '1 email'],
    [1000, '1,000 emails'],
  ])('is %i in "%s"', (total, text) => {
    expect(summaryOf(pageOf([], { matching: total, total }), all)).toBe(text);
  });

  test.each([
    [1, '1 of 1,000 emails matches'],
    [12, '12 of 1,000 emails match'],
  ])('that match a filter is %i in "%s"', (matching, text) => {
    const page = pageOf([], { matching, total: 1000 });
    expect(summaryOf(page, { address: 'rex', text: '' })).toBe(text);
    expect(summaryOf(page, { address: '', text: 'bow' })).toBe(text);
  });

  test('on a page is a range', () => {
    expect(rangeOf(pageOf(['2', '1'], { newer: 998, matching: 1000 }))).toBe('999–1,000 of 1,000');
  });
});
