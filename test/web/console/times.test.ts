import { every, relativeTime } from '../../../web/console/times.ts';

const now = 1_795_262_400;

test.each([
  [1, 'every minute'],
  [90, 'every 90 minutes'],
  [60, 'every hour'],
  [120, 'every 2 hours'],
  [1_440, 'every day'],
  [525_600, 'every 365 days'],
])('every() returns, for %i minutes, "%s"', (minutes, expected) => {
  expect(every(minutes)).toBe(expected);
});

test.each([
  [0, 'now'],
  [59, 'in 59 seconds'],
  [-1, '1 second ago'],
  [60, 'in 1 minute'],
  [-3_599, '59 minutes ago'],
  [7_200, 'in 2 hours'],
  [-86_400, 'yesterday'],
  [400 * 86_400, 'next year'],
])('relativeTime() returns, for %i seconds from now, "%s"', (span, expected) => {
  expect(relativeTime(now + span, now)).toBe(expected);
});
