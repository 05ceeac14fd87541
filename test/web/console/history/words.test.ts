import { type ChartData, chartOf } from '../../../../web/console/history/chart-model.ts';
import { chartInWords, tooltipOf } from '../../../../web/console/history/words.ts';
import { dateAndTime } from '../../../../web/shared/time.ts';

const now = 1_795_352_587;

function wordsFor(times: readonly number[], data: Partial<ChartData> = {}): string {
  const rest = { schedule: {}, now, timeZone: 'UTC', width: 900 } as const;
  return chartInWords(chartOf({ times, ...rest, ...data }));
}

test.each<[string, string, readonly number[], Partial<ChartData>]>([
  ['nothing about a single bark', 'One bar per 2 seconds.', [now - 60], {}],
  [
    'the highest bar, and how long its barks took',
    `One bar per 5 minutes. The peak is 3 barks within 2 seconds, from ${dateAndTime(now - 62)}.`,
    [now - 60, now - 61, now - 62, now - 7_260],
    {},
  ],
  [
    'the highest bar of the same second',
    `One bar per 2 seconds. The peak is 2 barks in the same second, ${dateAndTime(now - 60)}.`,
    [now - 60, now - 60],
    {},
  ],
  [
    'the occurrences to the right',
    'One bar per 30 seconds. More scheduled barks follow.',
    [],
    { schedule: { next: now + 1e6 } },
  ],
  [
    'that a schedule goes on, and the peak of the barks alone',
    `One bar per 30 minutes. Dashed bars are scheduled barks. The peak is 2 barks in the same second, ${dateAndTime(now - 36_000)}. More scheduled barks follow.`,
    [now - 36_000, now - 36_000, now - 60],
    { schedule: { next: now + 60, frequency: 300 } },
  ],
  [
    'a bark to the left',
    'One bar per 2 minutes. Outside the chart: 1 known bark.',
    [now - 10, now - 7_200],
    { zoom: { from: now - 3_600, to: now } },
  ],
])('chartInWords() states %s', (_, expected, times, data) => {
  expect(wordsFor(times, data)).toBe(expected);
});

test('tooltipOf() states the count of barks, and the times of the first and the last one', () => {
  const bar = { left: 0, right: 0, from: now - 60, to: now - 60, count: 3, below: 0 };
  const when = [dateAndTime(now - 60), '1 minute ago'];
  expect(tooltipOf(bar, 'bark', now)).toEqual(['3 barks in the same second', ...when]);
  expect(tooltipOf({ ...bar, count: 1 }, 'scheduled bark', now)).toEqual(['1 scheduled bark', ...when]);
  expect(tooltipOf({ ...bar, to: now }, 'bark', now)).toEqual([
    '3 barks',
    `${dateAndTime(now - 60)} to`,
    dateAndTime(now),
  ]);
});
