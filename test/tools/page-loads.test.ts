import { timeTable, weightTable } from '../../tools/page-loads.ts';

/** Returns the loads of a page with one profile. */
const loads = (page: string, profile: string, ...times: number[]) =>
  times.map((usableMs) => ({ page, profile, usableMs }));

test('timeTable returns the median of each page and profile, and its ratio to the empty page', () => {
  const table = timeTable([
    ...loads('empty page', 'unthrottled', 40, 900, 20),
    ...loads('console', 'unthrottled', 80, 90, 2_000),
    ...loads('empty page', 'slow 4G', 200),
    ...loads('console', 'slow 4G', 500.4),
  ]);
  expect(table.columns).toEqual(['', 'unthrottled', '÷ empty page', 'slow 4G', '÷ empty page']);
  expect(table.rows).toEqual([
    ['empty page', 40, '1.00', 200, '1.00'],
    ['console', 90, '2.25', 500, '2.50'],
  ]);
});

test('weightTable returns kilobytes with one decimal place', () => {
  const table = weightTable([{ page: 'console', htmlBytes: 165_643, sentBytes: 56_899, requests: 1 }]);
  expect(table.rows).toEqual([['console', '165.6', '56.9', 1]]);
});
