import type { Context } from 'aws-lambda';
import { purgeDog } from '../domain/dogs/purge.ts';
import { removedDogs } from '../domain/platform/job-events.ts';

/** How long before its time is up the function gives up, in milliseconds; the stream then delivers the event again. */
const reserve = 5_000;

/** Purges each dog whose deletion the stream of the table of dogs tells of. */
export async function handler(event: unknown, context: Context): Promise<void> {
  for (const dog of removedDogs(event)) {
    const signal = AbortSignal.timeout(context.getRemainingTimeInMillis() - reserve);
    await purgeDog(dog, { now: Date.now(), signal });
  }
}
