import { deleteItemsOfOwner } from '../barks/barks-table.ts';
import type { Dog } from '../dogs/dog.ts';
import { findDog } from '../dogs/read.ts';
import type { Schedule } from '../dogs/schedule.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { deleteSchedule } from '../schedules/eventbridge.ts';

/** The maximum number of items that are deleted concurrently. */
const pageSize = 50;

/**
 * Deletes the schedule of a deleted dog, and then the dog's items in the barks table. Safe to call again, even if an earlier call
 * stopped halfway.
 *
 * Does not affect a new dog with the same ID, because no two dogs share a `scheduleId`, and because each deletion of an item has
 * the condition that the item belongs to the deleted incarnation. Does not affect a dog that a restore has brought back, because
 * the function first checks that the incarnation is not in the dogs table. Functions write items only after they have found the
 * incarnation in that table. If an incarnation has items, but is not in the table, it was therefore deleted. An item that a function
 * writes after the purge expires.
 *
 * @returns the number of deleted items
 * @throws Unavailable if EventBridge Scheduler or DynamoDB is unavailable, or if the deadline passes: another call continues the
 *   purge
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
