import { deleteItemsOfOwner } from '../barks/repository.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { deleteSchedule } from '../schedules/eventbridge.ts';
import type { Schedule } from '../schedules/schedule.ts';
import type { Dog } from './dog.ts';
import { findDog } from './repository.ts';

/** The number of items that are deleted concurrently. */
const pageSize = 50;

/**
 * Deletes the schedule of a deleted dog, and then its items in the barks table. Safe to call again, even if a call stopped
 * halfway.
 *
 * Does not touch a new dog with the same ID: the incarnation of each item is a condition of its deletion. Does not touch a
 * dog that a restore has brought back. A function writes items only for an incarnation that has begun. If the
 * dogs table does not have an incarnation, that incarnation has therefore ended.
 *
 * @returns the number of deleted items
 * @throws Unavailable if EventBridge Scheduler or DynamoDB is unavailable, or at the deadline: another call continues
 */
export async function purgeDog(
  {
    id,
    incarnation,
    schedule,
  }: Pick<Dog, 'id' | 'incarnation'> & { readonly schedule?: Pick<Schedule, 'scheduleId'> },
  context: RequestContext,
): Promise<number> {
  if ((await findDog(id, context))?.incarnation === incarnation) return 0;
  if (schedule) await deleteSchedule(id, schedule.scheduleId, context);
  let total = 0;
  let after: string | undefined;
  do {
    const page = await deleteItemsOfOwner({ dog: id, incarnation }, { limit: pageSize, after }, context);
    total += page.deleted;
    after = page.last;
  } while (after !== undefined);
  return total;
}
