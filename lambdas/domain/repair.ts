import type { Call } from './call.ts';
import { listDogs } from './dogs.ts';
import { nextSlot } from './schedule.ts';
import { createSchedule } from './scheduler.ts';

/** How many dogs are read at once. */
const limit = 100;

/**
 * Makes the schedules again that the scheduler lacks, from the table of dogs, after a restore for instance. One that it
 * has and should not have needs no repair: it deletes itself when it fires.
 *
 * @param callOf gives each call of AWS a time of its own
 * @returns how many schedules there should be, and how many of them were missing
 * @throws Unavailable; what was made so far stays, and the rest is for another try
 */
export async function repairSchedules(callOf: () => Call): Promise<{ schedules: number; repaired: number }> {
  const total = { schedules: 0, repaired: 0 };
  for (let after: string | undefined; ; ) {
    const { dogs, next } = await listDogs({ limit, after }, callOf());
    for (const dog of dogs) {
      const call = callOf();
      const slot = nextSlot(dog, call.now);
      if (!dog.schedule || slot === null) continue;
      total.schedules += 1;
      if (await createSchedule(dog, dog.schedule, slot, call)) total.repaired += 1;
    }
    if (next === undefined) return total;
    after = next;
  }
}
