import { environment } from '../environment.ts';
import { isCounted, type NotedBark } from './bark.ts';
import { type Action, findItem, putNote } from './bark-items.ts';
import { type Call, seconds } from './call.ts';
import { failedConditions, moveLastModified, transact } from './database.ts';
import type { Dog } from './dog.ts';
import { readDog } from './dogs.ts';
import { NotFound } from './errors.ts';
import { isLive, newGeneration, type Schedule } from './schedule.ts';
import { tidySchedule } from './scheduler.ts';

/** An item of the table of barks: a change that was made, by which its repeat is known. */
export interface Memory {
  readonly dog: string;
  /** `m#` and a digest for a PATCH, `t#` and the token for a POST. */
  readonly sk: string;
  readonly life: string;
  /** The generation of the schedule that it made, or else a name of its own. */
  readonly change: string;
  /** What a POST asked for. */
  readonly next?: number;
  readonly frequency?: number | null;
  /** Unix seconds after which it is gone; absent for what is remembered as long as the dog lives. */
  readonly expires?: number;
}

/** What a change leaves behind of itself. */
export type Remembered = Omit<Memory, 'dog' | 'life' | 'change'>;

/** Whether a change was made, had been made before, or changes nothing. */
export type Outcome = 'changed' | 'repeated' | 'unchanged';

/** Makes a change. @returns false if another change of the dog was faster */
type Make = () => Promise<boolean>;

/**
 * Changes a dog's schedule. Where another change is faster, it looks at the dog again.
 *
 * @param remembered by which a repeat is known; undefined for a change that may be made twice
 * @param decide what is to be done with the dog as it was found
 * @throws NotFound, and whatever `decide` throws
 */
export async function change(
  dogId: string,
  remembered: Remembered | undefined,
  decide: (dog: Dog, known: Memory | undefined) => Make | 'repeated' | 'unchanged',
  call: Call,
): Promise<Outcome> {
  for (;;) {
    const [dog, item] = await Promise.all([
      readDog(dogId, call),
      remembered && findItem({ dog: dogId, sk: remembered.sk }, call),
    ]);
    const decision = decide(dog, item?.life === dog.life ? (item as unknown as Memory) : undefined);
    if (typeof decision === 'string') return decision;
    if (await decision()) return 'changed';
  }
}

/**
 * Ends a dog's schedule; ended once more, it stays so.
 *
 * @throws NotFound if there is no such dog, or if it never had a schedule
 * @throws Unavailable
 */
export async function endSchedule(dogId: string, call: Call): Promise<void> {
  const decide = (dog: Dog) => {
    if (!dog.schedule) throw new NotFound('schedule of the dog', dogId);
    return isLive(dog) ? () => end(dog, {}, call) : 'unchanged';
  };
  await change(dogId, undefined, decide, call);
}

/** Ends the schedule that the dog has. */
export async function end(dog: Dog, along: Along, call: Call): Promise<boolean> {
  const ended = { ...(dog.schedule as Schedule), ended: true } as const;
  const made = await commit(dog, ended, along, call);
  if (made) await tidyOld(dog, call);
  return made;
}

/** Has the scheduler forget the schedule that the dog had. */
export async function tidyOld(dog: Dog, call: Call): Promise<void> {
  if (dog.schedule && isLive(dog)) await tidySchedule(dog.id, dog.schedule.generation, call);
}

/** What happens or does not happen together with a change. */
export interface Along {
  readonly remembered?: Remembered;
  /** The bark of the first slot, if that is now. */
  readonly bark?: NotedBark | undefined;
  /** True if the dog must be in the very state in which it was found: not even a bark may have come between. */
  readonly exact?: boolean;
}

/**
 * Gives the dog a schedule, remembers the change, and writes the first bark if there is one: all or nothing.
 *
 * @returns false if another change was faster
 */
export async function commit(dog: Dog, schedule: Schedule, along: Along, call: Call): Promise<boolean> {
  const { remembered, bark } = along;
  const name = schedule.ended ? newGeneration(call.now) : schedule.generation;
  const others = [
    ...(remembered ? [putMemory({ ...remembered, dog: dog.id, life: dog.life, change: name }, call)] : []),
    ...(bark ? [putNote(bark)] : []),
  ];
  const write = (lastModified: number) =>
    transact([updateDog(dog, schedule, along, lastModified), ...others], call);
  try {
    await moveLastModified(write, call);
    return true;
  } catch (error) {
    const failures = failedConditions(error);
    if (!failures) throw error;
    // The name is this call's own: if it is there, a try took place whose answer was lost.
    return remembered !== undefined && failures[1]?.item?.change === name;
  }
}

function updateDog(dog: Dog, schedule: Schedule, { bark, exact }: Along, lastModified: number): Action {
  return {
    Update: {
      TableName: environment('DOGS_TABLE'),
      Key: { id: dog.id },
      UpdateExpression: [
        'SET schedule = :schedule, settingsModified = :lastModified, lastModified = :lastModified',
        bark ? ', lastSlot = :slot' : '',
        ' ADD settingsVersion :one, version :one, barkCount :counted',
      ].join(''),
      ConditionExpression: [
        'life = :life AND settingsVersion = :settingsVersion AND lastModified <= :lastModified',
        ...(exact ? ['version = :version'] : []),
        ...(bark ? ['(attribute_not_exists(lastSlot) OR lastSlot <= :slot)'] : []),
      ].join(' AND '),
      ExpressionAttributeValues: {
        ':schedule': schedule,
        ':life': dog.life,
        ':settingsVersion': dog.settingsVersion,
        ':lastModified': lastModified,
        ...(exact && { ':version': dog.version }),
        ...(bark && { ':slot': schedule.start }),
        ':counted': bark && isCounted(dog.settings.barkEffects) ? 1 : 0,
        ':one': 1,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

function putMemory(Item: Memory, call: Call): Action {
  return {
    Put: {
      TableName: environment('BARKS_TABLE'),
      Item,
      ConditionExpression: 'attribute_not_exists(sk) OR life <> :life OR expires <= :now',
      ExpressionAttributeValues: { ':life': Item.life, ':now': seconds(call.now) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}
