import fc from 'fast-check';
import { type ChartData, chartOf, upcomingOf } from '../../../web/console/history/chart-model.ts';

const now = Date.UTC(2026, 10, 22, 13, 3, 7) / 1000;
const timeZone = 'Europe/Berlin';
const hour = 3_600;
const day = 24 * hour;
const year = 365 * day;

function dataOf(data: Partial<ChartData>): ChartData {
  return { times: [], schedule: {}, hasOlder: false, range: 'all', now, timeZone, width: 900, ...data };
}

const chart = (data: Partial<ChartData>) => chartOf(dataOf(data));
const every = (seconds: number, count: number) => Array.from({ length: count }, (_, n) => now - n * seconds);
const sum = (groups: readonly { count: number }[]) => groups.reduce((total, { count }) => total + count, 0);

test.each([
  [0, 'marks', undefined],
  [1, 'marks', undefined],
  [10, 'marks', undefined],
  [100, 'bins', '2 hours'],
  [10_000, 'bins', 'week'],
])('chartOf() shows %i barks, one each hour, as %s', (count, kind, binName) => {
  const shown = chart({ times: every(hour, count) });
  expect(shown).toMatchObject({ kind, earlier: 0 });
  expect(shown.binName).toBe(binName);
  expect(sum(shown.groups)).toBe(count);
  expect(shown.groups.length).toBeLessThanOrEqual(100);
});

test('chartOf() shows barks of the same second as one mark with their count', () => {
  const { groups } = chart({ times: [now - 60, now - 600, now - 60, now - 60] });
  expect(groups.map(({ from, to, count }) => [from, to, count])).toEqual([
    [now - 600, now - 600, 1],
    [now - 60, now - 60, 3],
  ]);
});

test('chartOf() labels the hours on both sides of a change of the clocks', () => {
  // The clocks in Berlin went back from 3:00 to 2:00 on 25 October 2026 at 1:00 UTC.
  const change = Date.UTC(2026, 9, 25, 1) / 1000;
  const { ticks } = chart({ now: change + 3 * hour, times: [change - 4 * hour], width: 760 });
  const hours = [23, 0, 1, 2, 2, 3, 4, 5];
  expect(ticks.map(({ label }) => label)).toEqual(hours.map((one) => `${one}:00`.padStart(5, '0')));
});

test('chartOf() makes days with a change of the clocks longer or shorter', () => {
  const times = Array.from({ length: 70 }, (_, n) => Date.UTC(2026, 9, 1, 12) / 1000 + n * 12 * hour);
  const { groups, binName } = chart({ now: Date.UTC(2026, 10, 20) / 1000, times, width: 600 });
  expect(binName).toBe('day');
  expect(new Set(groups.map(({ from, to }) => (to - from) / hour))).toEqual(new Set([24, 25]));
});

test('chartOf() states the day of the first tick of each day', () => {
  const { ticks } = chart({ times: [now - 20 * hour], width: 900 });
  expect(ticks.filter(({ context }) => context)).toMatchObject([
    { context: '21 Nov 2026' },
    { context: '22 Nov', label: '00:00' },
  ]);
});

test('chartOf() uses the time zone', () => {
  const [first] = chart({ timeZone: 'Asia/Kolkata', range: 'hour' }).ticks;
  expect(first).toMatchObject({ label: '17:40', context: '22 Nov 2026' });
});

test('chartOf() states an occurrence in the far future without placing it on the axis', () => {
  const next = now + 9 * year;
  const shown = chart({ times: [now - 60], schedule: { next } });
  expect(shown).toMatchObject({ upcoming: [], beyond: { at: next, count: 1 } });
  expect(shown.axis.to).toBeLessThan(now + day);
});

test('chartOf() marks the part of the axis whose barks are not loaded', () => {
  const times = every(hour, 5);
  expect(chart({ times, range: 'day' })).not.toHaveProperty('loadedFrom');
  const { loadedFrom, groups } = chart({ times, range: 'day', hasOlder: true });
  expect(loadedFrom).toBe(groups[0]?.left);
});

test('chartOf() counts the loaded barks before the range', () => {
  expect(chart({ times: every(600, 20), range: 'hour' })).toMatchObject({ earlier: 13 });
});

test.each([
  [{}, []],
  [{ next: now }, [now]],
  [{ next: now, frequency: 0 }, [now]],
  [{ next: now, frequency: 10 }, [0, 1, 2, 3, 4, 5, 6, 7].map((n) => now + n * 600)],
])('upcomingOf() returns the next occurrences of %j', (schedule, expected) => {
  expect(upcomingOf(schedule)).toEqual(expected);
});

const anyData: fc.Arbitrary<ChartData> = fc
  .record({
    spans: fc.oneof(
      ...[60, day, 10 * year].map((span) =>
        fc.array(fc.integer({ min: -span, max: 60 }), { maxLength: 200 }),
      ),
    ),
    next: fc.option(fc.integer({ min: -300, max: 10 * year }), { nil: undefined }),
    frequency: fc.integer({ min: 0, max: 525_600 }),
    range: fc.constantFrom('all', 'day', 'hour', 'month', 'week'),
    hasOlder: fc.boolean(),
    width: fc.integer({ min: 240, max: 1_600 }),
    timeZone: fc.constantFrom(
      'Europe/Berlin',
      'UTC',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Pacific/Apia',
    ),
  })
  .map(({ spans, next, frequency, ...data }) => ({
    ...data,
    now,
    times: spans.map((span) => now + span),
    schedule: { ...(next !== undefined && { next: now + next }), frequency },
  }));

test('chartOf() places everything on the axis, counts each bark once, and separates the labels', () => {
  fc.assert(
    fc.property(anyData, (data) => {
      const { axis, groups, upcoming, beyond, earlier, ticks, now: here, highest } = chartOf(data);
      expect(sum(groups) + earlier).toBe(data.times.length);
      expect(sum(upcoming) + (beyond?.count ?? 0)).toBe(upcomingOf(data.schedule).length);
      expect(highest).toBe(Math.max(0, ...groups.map(({ count }) => count)));
      for (const { left, right, count } of [...groups, ...upcoming, { left: here, right: here, count: 1 }]) {
        expect(count).toBeGreaterThan(0);
        expect(left).toBeGreaterThanOrEqual(axis.left - 1e-6);
        expect(right).toBeLessThanOrEqual(axis.right + 1e-6);
        expect(left).toBeLessThanOrEqual(right);
      }
      for (const { left, from } of upcoming)
        if (from >= now) expect(left).toBeGreaterThanOrEqual(here - 1e-6);
      for (const [i, group] of groups.entries())
        expect(group.left).toBeGreaterThanOrEqual((groups[i - 1]?.right ?? axis.left) - 1e-6);
      for (const [i, { x }] of ticks.entries()) {
        expect(x).toBeGreaterThanOrEqual(axis.left - 1e-6);
        expect(x).toBeLessThanOrEqual(axis.right + 1e-6);
        expect(x - (ticks[i - 1]?.x ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(64);
      }
      expect(ticks.length).toBeGreaterThanOrEqual(2);
    }),
  );
});
