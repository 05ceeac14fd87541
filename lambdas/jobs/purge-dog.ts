import { job } from '../domain/platform/job.ts';
import { purgeDog } from '../domain/removal/purge.ts';
import { removedDogs } from '../domain/removal/removal-event.ts';

export const handler = job({ reserveMs: 5_000 }, async (event: unknown, context) => {
  for (const dog of removedDogs(event)) await purgeDog(dog, context);
});
