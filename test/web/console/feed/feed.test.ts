import { announcement, type Entry, merged, selected } from '../../../../web/console/feed/feed.ts';

const entry = (id: string, at: number, more: Partial<Entry> = {}): Entry => ({
  id,
  at,
  kind: 'bark',
  text: 'Bark complete',
  ...more,
});
const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id);

describe('merged()', () => {
  test('returns the newest entry first, and added ones before, in case the clock was set back', () => {
    expect(ids(merged([entry('a', 1)], [entry('b', 3), entry('c', 2)]))).toEqual(['b', 'c', 'a']);
    expect(ids(merged([entry('a', 3_600)], [entry('b', 1)]))).toEqual(['b', 'a']);
  });

  test('keeps the first of several entries with the same ID', () => {
    const first = entry('a', 1, { text: 'Bark failed' });
    expect(merged([first], [entry('a', 2)])).toEqual([first]);
    expect(merged([], [first, entry('a', 2)])).toEqual([first]);
  });

  test('keeps the latest 500 entries', () => {
    const many = Array.from({ length: 501 }, (_, i) => entry(String(i), i));
    const kept = merged(many.slice(0, 300).reverse(), many.slice(300));
    expect(kept).toHaveLength(500);
    expect([kept[0]?.id, kept[499]?.id]).toEqual(['500', '1']);
  });
});

test('selected() returns the entries of a dog and of a kind', () => {
  const entries = [
    entry('a', 4, { dog: 'rex' }),
    entry('b', 3, { dog: 'rex', kind: 'mail' }),
    entry('c', 2, { dog: 'fido' }),
    entry('d', 1, { kind: 'request' }),
  ];
  expect(ids(selected(entries, {}))).toEqual(['a', 'b', 'c', 'd']);
  expect(ids(selected(entries, { dog: 'rex' }))).toEqual(['a', 'b']);
  expect(ids(selected(entries, { kind: 'bark' }))).toEqual(['a', 'c']);
  expect(ids(selected(entries, { dog: 'rex', kind: 'mail' }))).toEqual(['b']);
});

test.each<[Entry[], string]>([
  [[], ''],
  [[entry('a', 1, { dog: 'rex' })], 'rex: Bark complete.'],
  [[entry('a', 1, { text: 'Request' })], 'Request.'],
  [[entry('b', 2, { dog: 'rex' }), entry('a', 1)], '2 new activities. The latest is rex: Bark complete.'],
])('announcement() sums up %j', (added, text) => {
  expect(announcement(added)).toBe(text);
});
