import type { Bark } from '../../../../client/index.ts';
import { knownBarks, withNewest } from '../../../../web/console/history/known-barks.ts';

const bark = (id: string, timestamp: number | null = 1): Bark => ({
  id,
  dog: '/v1/dogs/rex/',
  timestamp,
  status: timestamp === null ? 'pending' : 'complete',
});
const pageOf = (ids: string, next?: string) => ({ barks: [...ids].map((id) => bark(id)), next });

test.each([
  ['returns the newest page if nothing is loaded', undefined, pageOf('ba', '/2'), pageOf('ba', '/2')],
  [
    'adds new barks, and keeps the older pages and their next page',
    pageOf('dcba', '/3'),
    pageOf('fedc', '/2'),
    pageOf('fedcba', '/3'),
  ],
  ['updates the barks that were loaded before', { barks: [bark('a', null)] }, pageOf('a'), pageOf('a')],
  [
    'removes the older pages if it cannot connect them with the newest page',
    pageOf('cba', '/3'),
    pageOf('zyx', '/2'),
    pageOf('zyx', '/2'),
  ],
  ['removes the barks of a dog that was created again', pageOf('cba'), pageOf(''), pageOf('')],
])('withNewest() %s', (_, known, newest, expected) => {
  expect(withNewest(known, newest)).toEqual(expected);
});

test.each([
  [[], [], []],
  [[null, 5], [], [null, 5]],
  [
    [6, 5, 5],
    [5, 6],
    [6, 5, 5],
  ],
  [[5], [3, 5, 5], [5, 5, 3]],
  [
    [null, 5],
    [3, 5, 8],
    [null, 8, 5, 3],
  ],
])(
  'knownBarks() returns, for the records %j and the previous barks %j, %j',
  (recorded, previous, expected) => {
    const records = recorded.map((at, i) => bark(`${i}`, at));
    const known = knownBarks({ barks: records }, previous);
    expect(known.map(({ timestamp }) => timestamp)).toEqual(expected);
    expect(known.flatMap(({ record }) => record ?? [])).toEqual(records);
    expect(new Set(known.map(({ key }) => key)).size).toBe(known.length);
  },
);

test('knownBarks() omits times whose records may be on the next page', () => {
  const known = knownBarks({ barks: [bark('b', 7), bark('a', 5)], next: '/2' }, [4, 5, 6, 7]);
  expect(known.map(({ timestamp }) => timestamp)).toEqual([7, 6, 5]);
});
