import { listDogs } from '../dogs/read.ts';
import { nextOccurrence } from '../dogs/schedule.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { createSchedule, ScheduleRefused } from './eventbridge.ts';

/** `repaired` counts the created schedules. `refused` lists the dogs whose schedules EventBridge Scheduler refused. */
interface Repaired {
  schedules: number;
  repaired: number;
  readonly refused: string[];
}

const limit = 100;

/**
 * Creates the schedules that are in the dogs table but not in EventBridge Scheduler, for example after a restore. If the call
 * fails, the next one creates the rest. Ignores schedules without a dog, which `BarkOnSchedule` deletes when they fire.
 *
 * @param contextOf returns a new context for each page of dogs, and for each dog
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
