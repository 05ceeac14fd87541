import * as fc from 'fast-check';

/** The seed of the samples. To repeat a run, set FAULTS_SEED to its seed. */
const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** A fault at a call, for a sample. */
export interface Sampled {
  /** The call. */
  readonly place: object;
  readonly planned: { readonly name: string };
}

/** Prints the seed of the samples. */
export function printSeed(): void {
  console.log(`faults: seed ${seed}; repeat with FAULTS_SEED=${seed}`);
}

/**
 * Returns a random part of the plans that has each call at least once, and each fault at least once that is not in `covered`.
 *
 * @param covered the faults of the earlier samples. This function adds the faults of the new sample
 * @param offset a number to add to the seed, so that each sample differs
 */
export function sampleOf<Plan extends Sampled>(
  plans: readonly Plan[],
  covered: Set<string>,
  offset: number,
): Plan[] {
  const all = fc.shuffledSubarray([...plans], { minLength: plans.length });
  const [shuffled = []] = fc.sample(all, { seed: seed + offset, numRuns: 1 });
  const places = new Set<object>();
  const take = (isWanted: (isNewPlace: boolean, isNewFault: boolean) => boolean) =>
    shuffled.filter(({ place, planned }) => {
      const wanted = isWanted(!places.has(place), !covered.has(planned.name));
      if (wanted) {
        places.add(place);
        covered.add(planned.name);
      }
      return wanted;
    });
  // A plan that adds both a call and a fault saves another plan.
  return [
    ...take((isNewPlace, isNewFault) => isNewPlace && isNewFault),
    ...take((isNewPlace, isNewFault) => isNewPlace || isNewFault),
  ];
}
