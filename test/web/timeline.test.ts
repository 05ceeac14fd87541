import fc from 'fast-check';
import { type Barks, comingOf, timelineOf } from '../../web/console/timeline.ts';
import { relativeTime } from '../../web/shared/time.ts';

const now = 1_795_262_400;
const year = 31_536_000;

/** Generates the barks of a dog: at most 100, and a schedule that begins within ten years. */
const anyBarks: fc.Arbitrary<Barks> = fc
  .record({
    previous: fc.array(fc.integer({ min: -10 * year, max: 60 }), { maxLength: 100 }),
    next: fc.option(fc.integer({ min: -60, max: 10 * year }), { nil: undefined }),
    frequency: fc.integer({ min: 0, max: 525_600 }),
  })
  .map(({ previous, next, frequency }) => ({
    previous: previous.map((span) => now + span).sort((a, b) => a - b),
    ...(next !== undefined && { next: now + next }),
    frequency,
  }));

test('timelineOf() places each bark on the axis, and later barks further right', () => {
  fc.assert(
    fc.property(anyBarks, (barks) => {
      const { past, coming, now: here } = timelineOf(barks, now);
      expect([past.length, coming.length]).toEqual([barks.previous?.length, comingOf(barks).length]);
      const marks = [...past, ...coming, { at: now, x: here }].sort((a, b) => a.at - b.at);
      for (const [i, { at, x }] of marks.entries()) {
        expect(x).toBeGreaterThanOrEqual(6.99);
        expect(x).toBeLessThanOrEqual(93.01);
        const before = marks[i - 1];
        if (before && before.at < at) expect(before.x).toBeLessThan(x);
      }
    }),
  );
});

test('timelineOf() places labels so that they do not overlap', () => {
  fc.assert(
    fc.property(anyBarks, (barks) => {
      const places = timelineOf(barks, now)
        .ticks.map(({ x }) => x)
        .sort((a, b) => a - b);
      for (const [i, x] of places.entries())
        if (i > 0) expect(x - (places[i - 1] ?? 0)).toBeGreaterThanOrEqual(15 - 1e-9);
    }),
  );
});

test('timelineOf() returns an axis with now for a dog without barks', () => {
  expect(timelineOf({}, now)).toMatchObject({
    past: [],
    coming: [],
    ticks: expect.arrayContaining([{ x: expect.any(Number), label: 'now' }]),
  });
});

test.each<[Barks, number[]]>([
  [{}, []],
  [{ next: now }, [now]],
  [{ next: now, frequency: 0 }, [now]],
  [{ next: now, frequency: 10 }, [0, 1, 2, 3, 4, 5, 6, 7].map((n) => now + n * 600)],
])('comingOf() returns the next occurrences of %j', (barks, expected) => {
  expect(comingOf(barks)).toEqual(expected);
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
