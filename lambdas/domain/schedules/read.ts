import type { Dog } from '../dogs/dog.ts';
import { readDog } from '../dogs/read.ts';
import { nextOccurrence } from '../dogs/schedule.ts';
import { NotFound } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';

/**
 * `last` is the latest occurrence at which the dog barked. `last` and `next` are in Unix seconds.
 *
 * @throws NotFound if the dog does not exist, or if it has never had a schedule
 */
export async function readSchedule(
  dogId: string,
  context: RequestContext,
): Promise<{ dog: Dog; shown: { last: number | null; next: number | null } }> {
  const dog = await readDog(dogId, context);
  if (!dog.schedule) throw new NotFound('schedule of the dog', dogId);
  return { dog, shown: { last: dog.lastOccurrence ?? null, next: nextOccurrence(dog, context.now) } };
}
