import * as fc from 'fast-check';
import { sampleOf } from './sample.ts';

/** Returns a plan for each fault at each call. */
function plansOf(calls: number, faults: number) {
  return Array.from({ length: calls * faults }, (_, i) => ({
    call: i % calls,
    fault: Math.floor(i / calls),
  }));
}

type Plan = ReturnType<typeof plansOf>[number];
const labelsOf = ({ call, fault }: Plan) => [`call ${call}`, `fault ${fault}`];

describe('a sample of the plans', () => {
  test('has each call and each fault', () => {
    const sizes = fc.record({
      calls: fc.integer({ min: 1, max: 12 }),
      faults: fc.integer({ min: 1, max: 18 }),
    });
    fc.assert(
      fc.property(sizes, fc.nat({ max: 100 }), ({ calls, faults }, offset) => {
        const sample = sampleOf(plansOf(calls, faults), labelsOf, new Set(), offset);
        expect(new Set(sample.map(({ call }) => call)).size).toBe(calls);
        expect(new Set(sample.map(({ fault }) => fault)).size).toBe(faults);
      }),
    );
  });

  test('has each call only once if an earlier sample has each fault', () => {
    const covered = new Set(Array.from({ length: 9 }, (_, i) => `fault ${i}`));
    const sample = sampleOf(plansOf(5, 9), labelsOf, covered, 1);
    expect(sample.map(({ call }) => call).sort()).toEqual([0, 1, 2, 3, 4]);
  });

  test('is the same for the same offset, and another one for another offset', () => {
    const samples = [1, 1, 2].map((offset) => sampleOf(plansOf(5, 9), labelsOf, new Set(), offset));
    expect(samples[1]).toEqual(samples[0]);
    expect(samples[2]).not.toEqual(samples[0]);
  });
});
