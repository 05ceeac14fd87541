import { type HistoryEntry, isCounted } from '../barks/bark.ts';
import type { Dog } from '../dogs/dog.ts';
import { type DogTime, moveLastModified } from '../dogs/last-modified.ts';
import { checkDog, type ExpectedState, readDog, updateDog } from '../dogs/repository.ts';
import { type Action, type Actions, type Conflicts, conflictsOf, transact } from '../platform/dynamodb.ts';
import { NotFound } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { deleteScheduleBestEffort } from './eventbridge.ts';
import { isLive, type Schedule } from './schedule.ts';

/** What happens or does not happen together with a change of a dog's schedule. */
export interface CommitOptions {
  /** The bark of the first slot, if that is now; it is counted here, and written by one of the others. */
  readonly bark?: HistoryEntry | undefined;
  /** True if the dog must be in the very state in which it was found: not even a bark may have come between. */
  readonly exact?: boolean | undefined;
  /** True if no slot may have barked since. */
  readonly keepsNext?: boolean | undefined;
  readonly others?: Actions;
}

/**
 * Gives the dog a schedule: together with what goes along, or not at all.
 *
 * @returns undefined if that was done; if another change was faster, the conditions that failed
 */
export async function commit(
  dog: Dog,
  schedule: Schedule,
  along: CommitOptions,
  context: RequestContext,
): Promise<Conflicts | undefined> {
  const write = (time: DogTime) =>
    transact({ dog: setSchedule(dog, schedule, along, time), ...along.others }, context);
  try {
    await moveLastModified(write, context, { isClientChange: true });
    return undefined;
  } catch (error) {
    const conflicts = conflictsOf(error);
    if (!conflicts) throw error;
    return conflicts;
  }
}

function setSchedule(
  dog: Dog,
  schedule: Schedule,
  { bark, exact, keepsNext }: CommitOptions,
  time: DogTime,
): Action {
  const scheduledAt = schedule.start;
  const isLatest = bark !== undefined && scheduledAt > (dog.lastOccurrence ?? 0);
  return updateDog(dog.id, {
    time,
    isClientChange: true,
    expected: stateOf(dog, exact),
    isCounted: bark !== undefined && isCounted(dog.settings.barkEffects),
    schedule: { ...schedule, ...(bark && { lastOccurrence: scheduledAt }) },
    ...(keepsNext && { lastOccurrenceOfSchedule: dog.schedule?.lastOccurrence ?? 'none' }),
    ...(isLatest && { occurrence: { scheduledAt, moves: ['lastOccurrence'] } }),
  });
}

/**
 * Returns the action of a transaction that fails if a client has changed the dog since it was read.
 *
 * @param exact true if a bark counts as a change, too
 */
export function checkState(dog: Dog, exact: boolean | undefined): Action {
  return checkDog(dog.id, stateOf(dog, exact));
}

function stateOf({ incarnation, settingsVersion, version }: Dog, exact: boolean | undefined): ExpectedState {
  return { incarnation, settingsVersion, ...(exact && { version }) };
}

/**
 * Ends a dog's schedule; ended once more, it stays so.
 *
 * @throws NotFound if there is no such dog, or if it never had a schedule
 * @throws Unavailable
 */
export async function endSchedule(dogId: string, context: RequestContext): Promise<void> {
  for (;;) {
    const dog = await readDog(dogId, context);
    if (!dog.schedule) throw new NotFound('schedule of the dog', dogId);
    if (!isLive(dog)) return;
    const conflicts = await commit(dog, { ...dog.schedule, ended: true }, { keepsNext: true }, context);
    if (!conflicts) return deleteFormerSchedule(dog, context);
  }
}

/** Has the scheduler forget the schedule that the dog had. */
export async function deleteFormerSchedule(dog: Dog, context: RequestContext): Promise<void> {
  if (dog.schedule && isLive(dog)) await deleteScheduleBestEffort(dog.id, dog.schedule.scheduleId, context);
}
