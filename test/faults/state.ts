import { isDeepStrictEqual } from 'node:util';
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  type AsyncBark,
  type HistoryEntry,
  isCounted,
  isOpen,
  isRecorded,
} from '../../lambdas/domain/barks/bark.ts';
import type { BarkOutcome } from '../../lambdas/domain/barks/request.ts';
import type { Dog } from '../../lambdas/domain/dogs/dog.ts';
import { database } from '../../lambdas/domain/platform/dynamodb.ts';
import { isLive } from '../../lambdas/domain/schedules/schedule.ts';
import { type StandingSchedule, standing } from '../support/faults.ts';
import { occurrenceOf } from '../support/schedules.ts';

interface Item {
  readonly sk: string;
  readonly incarnation: string;
}

/** All that is kept of a dog: in the tables, item by item, and at the scheduler. */
export interface State {
  readonly dog: Dog | undefined;
  readonly notes: readonly HistoryEntry[];
  readonly barks: readonly AsyncBark[];
  readonly markers: readonly Item[];
  readonly memories: readonly (Item & { readonly change: string })[];
  readonly keys: readonly (Item & { readonly outcome?: BarkOutcome })[];
  readonly schedules: readonly StandingSchedule[];
}

export async function stateOf(id: string): Promise<State> {
  const ofDog = new GetCommand({ TableName: process.env.DOGS_TABLE, Key: { id }, ConsistentRead: true });
  const ofItems = new QueryCommand({
    TableName: process.env.BARKS_TABLE,
    KeyConditionExpression: 'dog = :dog',
    ExpressionAttributeValues: { ':dog': id },
    ConsistentRead: true,
  });
  const [{ Item: dog }, { Items = [] }] = await Promise.all([database.send(ofDog), database.send(ofItems)]);
  const kept = <Kind>(...prefixes: string[]) =>
    Items.filter(({ sk }) => prefixes.some((prefix) => sk.startsWith(prefix))) as Kind[];
  return {
    dog: dog as Dog | undefined,
    notes: kept('b#'),
    barks: kept('a#'),
    markers: kept('p#'),
    memories: kept('m#', 't#'),
    keys: kept('k#'),
    schedules: standing(id),
  };
}

/** What is half done in a state, or contradicts itself; and what of its dog has gone back since an earlier one. */
export function contradictionsOf(state: State, before?: State): string[] {
  const { dog } = state;
  if (!dog) return [];
  const wrong: string[] = [];
  const hold = (holds: boolean, what: string) => void (holds || wrong.push(what));
  const ofIncarnation = <Kind extends { readonly incarnation: string }>(items: readonly Kind[]) =>
    items.filter(({ incarnation }) => incarnation === dog.incarnation);
  const { barkEffects } = dog.settings;
  const notes = ofIncarnation(state.notes);
  const barks = ofIncarnation(state.barks);

  const counted = isCounted(barkEffects) ? notes.length : 0;
  hold(dog.barkCount === counted, `${dog.barkCount} are counted, and ${counted} noted that count`);
  const records = notes.filter(({ resource }) => resource).length;
  hold(records === (isRecorded(barkEffects) ? notes.length : 0), `${records} are recorded`);

  for (const bark of barks) {
    const noted = notes.filter(({ barkId }) => barkId === `a${bark.sk.slice(2)}`).length;
    const isKept = isCounted(bark.effects) || bark.inHistory;
    const due = bark.status === 'complete' && isKept ? 1 : 0;
    hold(noted === due, `a bark that is ${bark.status} is noted ${noted} times`);
    const marked = state.markers.some(({ sk }) => sk.endsWith(bark.sk.slice(2)));
    hold(marked === isOpen(bark), `a bark that is ${bark.status} is marked as pending: ${marked}`);
  }
  hold(
    ofIncarnation(state.markers).length <= barks.filter(isOpen).length,
    'a bark is marked as pending that is not there',
  );

  for (const { outcome } of ofIncarnation(state.keys))
    if (outcome && 'bark' in outcome) {
      const own = `#${outcome.bark.id.slice(1)}`;
      hold(
        [...notes, ...barks].some(({ sk }) => sk.endsWith(own)),
        'a key is known for a bark that is not there',
      );
    }

  const standing = state.schedules.filter((one) => isOf(one, dog)).length;
  if (isLive(dog)) hold(standing === 1, `the dog's schedule stands ${standing} times at the scheduler`);

  return [...wrong, ...setbacksOf(dog, before?.dog)];
}

/** What has gone back of a dog that must go on only, since it was as before. */
export function setbacksOf(dog: Dog, before: Dog | undefined): string[] {
  if (before?.incarnation !== dog.incarnation) return [];
  const isChanged = !isDeepStrictEqual(dog, before);
  const wrong = {
    'Last-Modified went back': dog.lastModified < before.lastModified,
    'the time of the settings went back': dog.settingsModified < before.settingsModified,
    'the version went back': dog.version < before.version,
    'the version of the settings went back': dog.settingsVersion < before.settingsVersion,
    'the dog changed, and its version did not': isChanged && dog.version === before.version,
  };
  return Object.entries(wrong).flatMap(([what, isSo]) => (isSo ? [what] : []));
}

/** True for the schedule that the dog has. */
export function isOf(schedule: StandingSchedule, { incarnation, schedule: own }: Dog): boolean {
  const occurrence = occurrenceOf(schedule);
  return occurrence.incarnation === incarnation && occurrence.scheduleId === own?.scheduleId;
}

/** The schedules at the scheduler that are not the dog's: what they fire must do nothing. */
export function orphansOf({ dog, schedules }: State): readonly StandingSchedule[] {
  return schedules.filter((one) => !dog || !isOf(one, dog) || dog.schedule?.ended);
}
