import { job } from '../domain/platform/job.ts';
import { purgeDog } from '../domain/removal/purge.ts';
import { removedDogs } from '../domain/removal/removal-event.ts';

/**
 * Purges every dog whose deletion is in an event from the stream of the dogs table. If the function throws, Lambda retries the
 * event.
 */
export const handler = job({ reserveMs: 5_000 }, async (event: unknown, context) => {
  for (const dog of removedDogs(event)) await purgeDog(dog, context);
});
