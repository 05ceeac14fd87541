import * as fc from 'fast-check';

/** The seed of the samples. To repeat a run, set FAULTS_SEED to its seed. */
const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Prints the seed of the samples. */
export function printSeed(): void {
  console.log(`faults: seed ${seed}; repeat with FAULTS_SEED=${seed}`);
}

/**
 * Returns a random part of the plans that has each label at least once that is not in `covered`.
 *
 * @param labelsOf returns what a plan covers
 * @param covered the labels of the earlier samples. This function adds the labels of the new sample
 * @param offset a number to add to the seed, so that each sample differs
 */
export function sampleOf<Plan>(
  plans: readonly Plan[],
  labelsOf: (plan: Plan) => readonly string[],
  covered: Set<string>,
  offset: number,
): Plan[] {
  const all = fc.shuffledSubarray([...plans], { minLength: plans.length });
  const [shuffled = []] = fc.sample(all, { seed: seed + offset, numRuns: 1 });
  const take = (least: number) =>
    shuffled.filter((plan) => {
      const labels = labelsOf(plan).filter((label) => !covered.has(label));
      if (labels.length < least) return false;
      for (const label of labels) covered.add(label);
      return true;
    });
  // The plans with the most new labels come first, so that the sample is small.
  return [3, 2, 1].flatMap(take);
}
