import { type ItemOwner, type ScanPosition, scanOwners } from '../barks/barks-table.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { purgeDog } from './purge.ts';

/** The number of deleted dogs that had orphans, and the number of orphans. */
interface Purged {
  dogs: number;
  items: number;
}

/**
 * Purges orphans, which are items in the barks table whose dog was deleted. Orphans exist, for example, if the purge of a deleted
 * dog failed. Safe to call again, even if an earlier call stopped halfway. Does not delete the schedules of deleted dogs, because
 * the function `BarkOnSchedule` deletes such a schedule when the schedule fires.
 *
 * After a restore, the dogs table must be complete before the call, because items without a dog count as orphans.
 *
 * @param contextOf returns a new context: one for each page of the scan, and one for the purge of each dog
 * @throws Unavailable if DynamoDB is unavailable: some orphans may have been purged, and another call purges the rest
 */
export async function purgeOrphans(contextOf: () => RequestContext): Promise<Purged> {
  const total: Purged = { dogs: 0, items: 0 };
  let position: ScanPosition | undefined;
  do {
    const page = await scanOwners(position, contextOf());
    for (const { dog: id, incarnation } of distinct(page.owners)) {
      const items = await purgeDog({ id, incarnation }, contextOf());
      total.items += items;
      if (items > 0) total.dogs += 1;
    }
    position = page.next;
  } while (position);
  return total;
}

function distinct(owners: readonly ItemOwner[]): ItemOwner[] {
  const byName = new Map(owners.map((owner) => [`${owner.dog} ${owner.incarnation}`, owner]));
  return [...byName.values()];
}
