import type { DogSettings } from '../../lambdas/domain/dog.ts';
import { putDog } from '../../lambdas/domain/dogs.ts';

let dogs = 0;

/** Makes a dog that nobody else has, with the addresses that any effect needs, and gives its id. */
export async function newDog(
  barkHandling: DogSettings['barkHandling'],
  barkEffects: DogSettings['barkEffects'],
): Promise<string> {
  const id = `dog-${dogs++}`;
  const settings = { email: 'dog@example.com', owner: 'mailto:owner@example.com', barkEffects, barkHandling };
  await putDog(id, settings, {}, { now: Date.UTC(2026, 10, 21, 12), signal: AbortSignal.timeout(8_000) });
  return id;
}
