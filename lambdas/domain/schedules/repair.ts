import { listDogs } from '../dogs/repository.ts';
import { ScheduleRefused } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { createSchedule } from './eventbridge.ts';
import { nextOccurrence } from './schedule.ts';

/** How many schedules there should be, how many of them were missing and are made, and the dogs whose are refused. */
interface Repaired {
  schedules: number;
  repaired: number;
  readonly refused: string[];
}

/** How many dogs are read at once. */
const limit = 100;

/**
 * Makes the schedules again that the scheduler lacks, from the table of dogs, after a restore for instance. One that it
 * has and should not have needs no repair: it deletes itself when it fires.
 *
 * @param contextOf gives each call of AWS a time of its own
 * @throws Unavailable; what was made so far stays, and the rest is for another try
 */
export async function repairSchedules(contextOf: () => RequestContext): Promise<Repaired> {
  const total: Repaired = { schedules: 0, repaired: 0, refused: [] };
  for (let after: string | undefined; ; ) {
    const { dogs, next } = await listDogs({ limit, after }, contextOf());
    for (const dog of dogs) {
      const context = contextOf();
      const scheduledAt = nextOccurrence(dog, context.now);
      if (!dog.schedule || scheduledAt === null) continue;
      total.schedules += 1;
      try {
        if (await createSchedule(dog, dog.schedule, scheduledAt, context)) total.repaired += 1;
      } catch (error) {
        if (!(error instanceof ScheduleRefused)) throw error;
        total.refused.push(dog.id);
      }
    }
    if (next === undefined) return total;
    after = next;
  }
}
