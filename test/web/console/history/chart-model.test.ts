import fc from 'fast-check';
import { type ChartData, chartOf, upcomingOf } from '../../../../web/console/history/chart-model.ts';

const now = Date.UTC(2026, 10, 22, 13, 3, 7) / 1000;
const timeZone = 'Europe/Berlin';
const hour = 3_600;
const day = 24 * hour;
const year = 365 * day;

function dataOf(data: Partial<ChartData>): ChartData {
  return { times: [], schedule: {}, now, timeZone, width: 900, ...data };
}

const chart = (data: Partial<ChartData>) => chartOf(dataOf(data));
const every = (seconds: number, count: number) => Array.from({ length: count }, (_, n) => now - n * seconds);
const sum = (groups: readonly { count: number }[]) => groups.reduce((total, { count }) => total + count, 0);

test.each([
  [1, 'second'],
  [10, '30 minutes'],
  [100, '3 hours'],
  [10_000, 'month'],
])('chartOf() shows %i barks, one each hour, as bars of %s with their counts', (count, binName) => {
  const shown = chart({ times: every(hour, count) });
  expect(shown).toMatchObject({ binName, outside: 0 });
  expect(sum(shown.bars)).toBe(count);
  expect(shown.bars.length).toBeLessThanOrEqual(35);
});

describe('chartOf() a burst', () => {
  const burst = Array.from({ length: 300 }, (_, n) => now - 120 - (n % 4));

  test('zooms to it instead of the time since', () => {
    const { axis, bars, outside } = chart({ times: burst });
    expect(axis.to - axis.from).toBeLessThanOrEqual(11);
    expect(bars.map(({ count }) => count)).toEqual([75, 75, 75, 75]);
    expect(outside).toBe(0);
  });

  test('is one bar beside an earlier bark, with the pause between them', () => {
    const { bars, pauses } = chart({ times: [...burst, now - 7_320] });
    expect(bars.map(({ count, from, to }) => [count, from, to])).toEqual([
      [1, now - 7_320, now - 7_320],
      [300, now - 123, now - 120],
    ]);
    expect(pauses).toMatchObject([{ seconds: 7_197 }]);
  });

  test('is shown in detail if the user zooms into it', () => {
    const zoom = { from: now - 123, to: now - 119 };
    const { bars, outside } = chart({ times: [...burst, now - 7_320], zoom });
    expect(bars).toHaveLength(4);
    expect(outside).toBe(1);
  });
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
  const { bars, binName, axis } = chart({ now: Date.UTC(2026, 10, 6) / 1000, times, width: 1_400 });
  expect(binName).toBe('day');
  const perHour = (axis.right - axis.left) / ((axis.to - axis.from) / hour);
  expect(new Set(bars.map(({ left, right }) => Math.round((right - left) / perHour)))).toEqual(
    new Set([24, 25]),
  );
});

test('chartOf() states the day of the first tick of each day', () => {
  const { ticks } = chart({ times: [now - 20 * hour], width: 900 });
  expect(ticks.filter(({ context }) => context)).toMatchObject([
    { context: '21 Nov 2026' },
    { context: '22 Nov', label: '00:00' },
  ]);
});

test('chartOf() stacks an occurrence on the barks of the same time', () => {
  const { upcoming, highest } = chart({
    times: every(60, 3),
    schedule: { next: now + 10 },
    zoom: { from: now - 7 * day, to: now + day },
  });
  expect(upcoming).toMatchObject([{ count: 1, below: 3 }]);
  expect(highest).toBe(4);
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
    zoom: fc.option(
      fc.nat(day).map((length) => ({ from: now - 2 * day, to: now - 2 * day + length })),
      { nil: undefined },
    ),
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
      const { axis, bars, upcoming, beyond, outside, pauses, ticks, now: here, highest } = chartOf(data);
      expect(sum(bars) + outside).toBe(data.times.length);
      const due = upcomingOf(data.schedule).filter((at) => at >= axis.from);
      expect(sum(upcoming) + beyond).toBe(due.length);
      const mark = here === undefined ? [] : [{ left: here, right: here, count: 1, below: 0 }];
      for (const { left, right, count, below } of [...bars, ...upcoming, ...mark]) {
        expect(count + below).toBeLessThanOrEqual(Math.max(1, highest));
        expect(count).toBeGreaterThan(0);
        expect(left).toBeGreaterThanOrEqual(axis.left - 1e-6);
        expect(right).toBeLessThanOrEqual(axis.right + 1e-6);
        expect(left).toBeLessThanOrEqual(right);
      }
      for (const shown of [bars, upcoming])
        for (const [i, bar] of shown.entries())
          expect(bar.left).toBeGreaterThanOrEqual((shown[i - 1]?.right ?? axis.left) - 1e-6);
      for (const { x } of pauses) expect(bars.every(({ left, right }) => x < left || x > right)).toBe(true);
      for (const [i, { x }] of ticks.entries()) {
        expect(x).toBeGreaterThanOrEqual(axis.left - 1e-6);
        expect(x).toBeLessThanOrEqual(axis.right + 1e-6);
        expect(x - (ticks[i - 1]?.x ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(64);
      }
      expect(ticks.length).toBeGreaterThanOrEqual(2);
    }),
  );
});
