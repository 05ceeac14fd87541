import { binsOf } from '../../../../web/console/history/bins.ts';

test.each<[number[], [from: number, count: number][]]>([
  [[100], [[100, 1]]],
  [
    [160, 100, 159],
    [
      [100, 2],
      [160, 1],
    ],
  ],
  [
    [0, 86_400],
    [
      [0, 1],
      [47 * 1_801, 1],
    ],
  ],
])('binsOf() divides the times %j into the bars %j', (times, expected) => {
  const bins = binsOf(times);
  expect(bins.filter(({ count }) => count > 0).map(({ from, count }) => [from, count])).toEqual(expected);
  expect(bins.length).toBeLessThanOrEqual(48);
});
