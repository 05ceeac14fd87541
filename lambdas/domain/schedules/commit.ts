import { environment } from '../../environment.ts';
import { isCounted, type NotedBark } from '../barks/bark.ts';
import type { Dog } from '../dogs/dog.ts';
import { readDog } from '../dogs/repository.ts';
import {
  type Action,
  type Actions,
  type Conflicts,
  conflictsOf,
  type DogTime,
  moveLastModified,
  transact,
} from '../platform/dynamodb.ts';
import { NotFound } from '../platform/errors.ts';
import type { Call } from '../platform/request-context.ts';
import { tidySchedule } from './eventbridge.ts';
import { isLive, type Schedule } from './schedule.ts';

/** What happens or does not happen together with a change of a dog's schedule. */
export interface Along {
  /** The bark of the first slot, if that is now; it is counted here, and written by one of the others. */
  readonly bark?: NotedBark | undefined;
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
  along: Along,
  call: Call,
): Promise<Conflicts | undefined> {
  const write = (time: DogTime) =>
    transact({ dog: updateDog(dog, schedule, along, time), ...along.others }, call);
  try {
    await moveLastModified(write, call, { isClientChange: true });
    return undefined;
  } catch (error) {
    const conflicts = conflictsOf(error);
    if (!conflicts) throw error;
    return conflicts;
  }
}

function updateDog(
  dog: Dog,
  schedule: Schedule,
  { bark, exact, keepsNext }: Along,
  { lastModified, latestStored }: DogTime,
): Action {
  const state = sameState(dog, exact);
  const kept = dog.schedule?.lastSlot;
  const sameSlot =
    kept === undefined ? 'attribute_not_exists(schedule.lastSlot)' : 'schedule.lastSlot = :lastSlot';
  const isLatest = bark !== undefined && schedule.start > (dog.lastSlot ?? 0);
  return {
    Update: {
      TableName: environment('DOGS_TABLE'),
      Key: { id: dog.id },
      UpdateExpression: [
        'SET schedule = :schedule, settingsModified = :lastModified, lastModified = :lastModified',
        isLatest ? ', lastSlot = :slot' : '',
        ' ADD settingsVersion :one, version :one, barkCount :counted',
      ].join(''),
      ConditionExpression: [
        state.expression,
        'lastModified <= :latestStored',
        ...(keepsNext ? [sameSlot] : []),
        ...(isLatest ? ['(attribute_not_exists(lastSlot) OR lastSlot < :slot)'] : []),
      ].join(' AND '),
      ExpressionAttributeValues: {
        ...state.values,
        ':schedule': { ...schedule, ...(bark && { lastSlot: schedule.start }) },
        ':lastModified': lastModified,
        ':latestStored': latestStored,
        ...(keepsNext && { ':lastSlot': kept }),
        ...(isLatest && { ':slot': schedule.start }),
        ':counted': bark && isCounted(dog.settings.barkEffects) ? 1 : 0,
        ':one': 1,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

/**
 * Returns the action of a transaction that fails if a client has changed the dog since it was read.
 *
 * @param exact true if a bark counts as a change, too
 */
export function checkState(dog: Dog, exact: boolean | undefined): Action {
  const { expression, values } = sameState(dog, exact);
  return {
    ConditionCheck: {
      TableName: environment('DOGS_TABLE'),
      Key: { id: dog.id },
      ConditionExpression: expression,
      ExpressionAttributeValues: values,
    },
  };
}

function sameState(
  { life, settingsVersion, version }: Dog,
  exact: boolean | undefined,
): { expression: string; values: Record<string, unknown> } {
  return {
    expression: `life = :life AND settingsVersion = :settingsVersion${exact ? ' AND version = :version' : ''}`,
    values: { ':life': life, ':settingsVersion': settingsVersion, ...(exact && { ':version': version }) },
  };
}

/**
 * Ends a dog's schedule; ended once more, it stays so.
 *
 * @throws NotFound if there is no such dog, or if it never had a schedule
 * @throws Unavailable
 */
export async function endSchedule(dogId: string, call: Call): Promise<void> {
  for (;;) {
    const dog = await readDog(dogId, call);
    if (!dog.schedule) throw new NotFound('schedule of the dog', dogId);
    if (!isLive(dog)) return;
    const conflicts = await commit(dog, { ...dog.schedule, ended: true }, { keepsNext: true }, call);
    if (!conflicts) return tidyOld(dog, call);
  }
}

/** Has the scheduler forget the schedule that the dog had. */
export async function tidyOld(dog: Dog, call: Call): Promise<void> {
  if (dog.schedule && isLive(dog)) await tidySchedule(dog.id, dog.schedule.generation, call);
}
