import type { AsyncBark } from '../../lambdas/domain/barks/async-bark.ts';
import type { BarkOutcome } from '../../lambdas/domain/barks/bark.ts';
import type { HistoryEntry } from '../../lambdas/domain/barks/history-entry.ts';
import type { Dog } from '../../lambdas/domain/dogs/dog.ts';
import { itemsIn } from '../support/database.ts';
import { type StandingSchedule, standing } from '../support/faults.ts';
import { isLive } from './model/schedule-rules.ts';

interface Item {
  readonly sk: string;
  readonly incarnation: string;
}

/** All stored data of a dog: its items in the tables, and its schedules in EventBridge Scheduler. */
export interface State {
  readonly dog: Dog | undefined;
  readonly history: readonly HistoryEntry[];
  readonly barks: readonly AsyncBark[];
  readonly markers: readonly Item[];
  readonly appliedChanges: readonly (Item & { readonly change: string })[];
  readonly idempotencyRecords: readonly (Item & { readonly outcome?: BarkOutcome })[];
  readonly schedules: readonly StandingSchedule[];
  readonly usage: readonly UsageItem[];
}

/** What a dog or a user has used of its limits in one window. The sort key contains the start of the window. */
interface UsageItem {
  readonly dog: string;
  readonly sk: string;
  readonly barks?: number;
  readonly mails?: number;
}

/** Returns the name of the user that sends the requests to a dog. */
export function userOf(dog: string): string {
  return `user-of-${dog}`;
}

export function stateOf(id: string): State {
  const [dog] = itemsIn(process.env.DOGS_TABLE, id);
  const items = itemsIn(process.env.BARKS_TABLE, id);
  const ofUser = process.env.LIMITS ? itemsIn(process.env.BARKS_TABLE, `u#${userOf(id)}`) : [];
  const ofType = <Kind>(prefixes: RegExp) => items.filter(({ sk }) => prefixes.test(String(sk))) as Kind[];
  // docs/data-model.md defines the prefixes.
  return {
    dog: dog as Dog | undefined,
    history: ofType(/^b#/),
    barks: ofType(/^a#/),
    markers: ofType(/^d#/),
    appliedChanges: ofType(/^[mt]#/),
    idempotencyRecords: ofType(/^k#/),
    schedules: standing(id),
    usage: [...ofType<UsageItem>(/^l#/), ...(ofUser as unknown as UsageItem[])],
  };
}

/** Returns the items of a dog that a purge deletes. The usage expires instead. */
export function itemsOf({ history, barks, markers, appliedChanges, idempotencyRecords }: State) {
  return [...history, ...barks, ...markers, ...appliedChanges, ...idempotencyRecords];
}

export function barkIdOf(sk: string): string {
  return sk.replace(/^a#/, 'a');
}

/** Returns the IDs of the asynchronous barks that clients see as pending. */
export function pendingIn({ barks }: State): string[] {
  return barks
    .filter(({ status }) => ['pending', 'inProgress'].includes(status))
    .map(({ sk }) => barkIdOf(sk));
}

export function lacksSchedule({ dog, schedules }: State): boolean {
  return isLive(dog?.schedule) && !schedules.some((one) => dog && isOf(one, dog));
}

export function isOf({ Name }: StandingSchedule, { id, schedule }: Dog): boolean {
  return Name === `${id}.${schedule?.scheduleId}`;
}

/** Returns the schedules in EventBridge Scheduler other than the dog's current one. Their occurrences must have no effect. */
export function orphansOf({ dog, schedules }: State): readonly StandingSchedule[] {
  return schedules.filter((one) => !dog || !isOf(one, dog) || dog.schedule?.ended);
}
