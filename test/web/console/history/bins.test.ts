import { binsOf } from '../../../../web/console/history/bins.ts';

const at = (...date: [number, number, number, number?, number?, number?]) =>
  new Date(...date).getTime() / 1000;

test.each<[string, number[], string, [from: number, count: number][]]>([
  ['one bark', [at(2026, 10, 22, 12, 0, 30)], 'minute', [[at(2026, 10, 22, 12), 1]]],
  [
    'barks in the same and in the next minute',
    [at(2026, 10, 22, 12, 1), at(2026, 10, 22, 12, 0, 59), at(2026, 10, 22, 12, 0)],
    'minute',
    [
      [at(2026, 10, 22, 12), 2],
      [at(2026, 10, 22, 12, 1), 1],
    ],
  ],
  [
    'barks in two hours',
    [at(2026, 10, 22, 10, 59), at(2026, 10, 22, 12, 1)],
    '10 minutes',
    [
      [at(2026, 10, 22, 10, 50), 1],
      [at(2026, 10, 22, 12), 1],
    ],
  ],
  [
    'barks in two weeks, even if the clocks change',
    [at(2026, 9, 20, 0), at(2026, 10, 1, 23, 59)],
    'day',
    [
      [at(2026, 9, 20), 1],
      [at(2026, 10, 1), 1],
    ],
  ],
  [
    'barks in a year, in weeks that begin on Monday',
    [at(2026, 0, 1), at(2026, 11, 31)],
    'week',
    [
      [at(2025, 11, 29), 1],
      [at(2026, 11, 28), 1],
    ],
  ],
  [
    'barks in 20 years',
    [at(2006, 5, 5), at(2026, 5, 5)],
    'year',
    [
      [at(2006, 0, 1), 1],
      [at(2026, 0, 1), 1],
    ],
  ],
])('binsOf() divides %s into steps of a %s', (_, times, step, expected) => {
  const { bins, ...result } = binsOf(times);
  expect(result).toEqual({ step });
  expect(bins.filter(({ count }) => count > 0).map(({ from, count }) => [from, count])).toEqual(expected);
  expect(bins.length).toBeLessThanOrEqual(61);
});
