import * as fc from 'fast-check';
import { sampleOf } from './sample.ts';

const sizes = { places: fc.integer({ min: 1, max: 12 }), faults: fc.integer({ min: 1, max: 18 }) };

/** Returns a plan for each fault at each call. */
function plansOf(places: number, faults: number) {
  const calls = Array.from({ length: places }, (_, nth) => ({ operation: 'GetItem', nth }));
  return calls.flatMap((place) =>
    Array.from({ length: faults }, (_, i) => ({ place, planned: { name: `fault ${i}` } })),
  );
}

describe('a sample of the plans', () => {
  test('has each call and each fault', () => {
    fc.assert(
      fc.property(fc.record(sizes), fc.nat(), ({ places, faults }, offset) => {
        const sample = sampleOf(plansOf(places, faults), new Set(), offset);
        expect(new Set(sample.map(({ place }) => place)).size).toBe(places);
        expect(new Set(sample.map(({ planned }) => planned.name)).size).toBe(faults);
      }),
    );
  });

  test('has each call only once if an earlier sample has each fault', () => {
    const plans = plansOf(5, 9);
    const covered = new Set<string>();
    sampleOf(plans, covered, 1);
    const sample = sampleOf(plans, covered, 2);
    expect(sample.map(({ place }) => place.nth).sort()).toEqual([0, 1, 2, 3, 4]);
  });

  test('is the same for the same offset, and another one for another offset', () => {
    const samples = [1, 1, 2].map((offset) => sampleOf(plansOf(5, 9), new Set(), offset));
    expect(JSON.stringify(samples[1])).toBe(JSON.stringify(samples[0]));
    expect(JSON.stringify(samples[2])).not.toBe(JSON.stringify(samples[0]));
  });
});
