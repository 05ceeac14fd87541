import { type ChartData, chartOf } from '../../../web/console/history/chart-model.ts';
import { extentOf, nextInWords, summaryOf, tooltipOf } from '../../../web/console/history/words.ts';
import { dateAndTime } from '../../../web/shared/time.ts';

const now = 1_795_352_587;

test.each([
  [0, 0, false, 'No barks yet'],
  [1, 1, false, '1 bark'],
  [10, 10, false, 'All 10 barks'],
  [100, 10_000, true, 'The latest 100 of 10,000 barks'],
  [1, 7, false, 'The latest bark of 7 barks'],
  [100, 0, true, 'The latest 100 barks'],
  [0, 3, false, 'None of 3 barks'],
])('extentOf() returns, for %i of %i barks and hasOlder %s, "%s"', (loaded, total, hasOlder, expected) => {
  expect(extentOf({ loaded, total, hasOlder })).toBe(expected);
});

test.each([
  [{}, 'No bark is scheduled.'],
  [{ next: now }, 'The next bark is due now, once.'],
  [
    { next: now + 60, frequency: 10 },
    `The next bark is in 1 minute, on ${dateAndTime(now + 60)}, then every 10 minutes.`,
  ],
])('nextInWords() returns, for %j, "%s"', (schedule, expected) => {
  expect(nextInWords(schedule, now)).toBe(expected);
});

function summaryFor(times: readonly number[]): string {
  const schedule = {};
  const rest = { hasOlder: false, range: 'all', now, timeZone: 'UTC', width: 900 } as const;
  const data: ChartData = { times, schedule, ...rest };
  return summaryOf(chartOf(data), times, schedule, now);
}

test('summaryOf() states the last bark', () => {
  expect(summaryFor([])).toBe('The dog has not barked yet. No bark is scheduled.');
  expect(summaryFor([now - 60])).toBe('The last bark was 1 minute ago. No bark is scheduled.');
});

test('summaryOf() states the bin with the most barks', () => {
  const times = Array.from({ length: 40 }, (_, n) => now - 60 - Math.trunc(n / 2) - n);
  expect(summaryFor(times)).toMatch(/The highest bar has \d+ barks, from .* to /);
});

test('tooltipOf() states the count of barks in the same second', () => {
  const group = { left: 0, right: 0, from: now - 60, to: now - 60, count: 3 };
  const when = [dateAndTime(now - 60), '1 minute ago'];
  expect(tooltipOf(group, 'marks', now)).toEqual(['3 barks in the same second', ...when]);
  expect(tooltipOf({ ...group, count: 1 }, 'upcoming', now)).toEqual(['1 scheduled bark', ...when]);
});
