import type { Dog, Effect } from '../../../lambdas/domain/dogs/dog.ts';
import { isCounted, isRecorded, mailsOf } from './effect-rules.ts';
import type { Limited } from './limit-rules.ts';
import { nthOccurrence, type Plan, undeliveredOf } from './schedule-rules.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * A sequential model of a dog. Concurrent operations on the service must have the same results as the same operations on this
 * model in some sequential order that respects which of them ended before another began
 * ({@link https://en.wikipedia.org/wiki/Linearizability linearizability}). Two exceptions: a change with `readsFirst` reads the dog
 * in one step and takes effect in a later one, and a read can combine several moments.
 *
 * The model has no tables, conditions or claims, and counts occurrences one by one. It uses no code of the service, so that it also
 * detects errors in the service's rules. All times are in Unix seconds.
 */
export interface ReferenceModel extends Limited {
  dog: ModelDog | undefined;
  /** All asynchronous barks that were accepted, by ID. */
  readonly barks: Record<string, ModelBark>;
  /** All schedules that a dog has had, by `scheduleId`. */
  readonly schedules: Record<string, ModelSchedule>;
  readonly idempotencyRecords: {
    readonly incarnation: string;
    readonly value: string;
    readonly isAsync: boolean;
    readonly outcome: string;
    /** The document of the response, if any. */
    readonly shown: object | null;
  }[];
  /** The earlier, deleted incarnations of the dog. */
  readonly deleted: Dog[];
  /** The deleted incarnations that were purged. */
  readonly purged: string[];
}

export interface ModelDog extends Mutable<Dog> {
  /** The history entries as text: their times, and whether GET shows them. */
  history: string[];
  /** The occurrences at which the dog has barked: the scheduleId and the time of each. */
  occurrences: string[];
  /** The applied requests (PATCH of the dog, POST to bark-schedule). The key consists of the values that identify a repeat. */
  appliedChanges: Record<string, string>;
}

export interface ModelBark {
  readonly incarnation: string;
  readonly effects: readonly Effect[];
  readonly inHistory: boolean;
  readonly deadline: number;
  status: 'pending' | 'complete' | 'failed' | 'cancelled';
}

export interface ModelSchedule extends Plan {
  readonly created: number;
}

export const emptyModel = (): ReferenceModel => ({
  dog: undefined,
  barks: {},
  schedules: {},
  idempotencyRecords: [],
  deleted: [],
  purged: [],
  limits: { limitWindowMinutes: 60 },
  used: {},
});

export function newDog(id: string, incarnation: string): ModelDog {
  return {
    id,
    incarnation,
    version: 0,
    settingsVersion: 0,
    lastModified: 0,
    settingsModified: 0,
    settings: { barkEffects: [], barkHandling: 'sync' },
    barkCount: 0,
    history: [],
    occurrences: [],
    appliedChanges: {},
  };
}

/** Records that a bark was written to the dog. */
export function touch(dog: ModelDog, at: number): void {
  dog.version += 1;
  dog.lastModified = timeOfWrite(dog.lastModified, at, 5);
}

/** @param found the time of a dog that the write found, and that was deleted before the write took effect */
export function touchSettings(dog: ModelDog, at: number, found = 0): void {
  dog.version += 1;
  dog.lastModified = timeOfWrite(Math.max(dog.lastModified, found), at, 1);
  dog.settingsVersion += 1;
  dog.settingsModified = dog.lastModified;
}

/**
 * Returns the time that a write stores (decision record 9). Another clock may have stored a later time. The write keeps that
 * time if it is a few seconds ahead, and otherwise advances it by a second.
 */
function timeOfWrite(stored: number, at: number, toleratedSeconds: number): number {
  if (stored <= at) return at;
  return stored <= at + toleratedSeconds ? stored : stored + 1;
}

export function bark(dog: ModelDog, effects: readonly Effect[], timestamp: number): void {
  dog.history = [...dog.history, entryTextOf({ timestamp, resource: isRecorded(effects) })].sort();
  if (isCounted(effects)) dog.barkCount += 1;
}

export function entryTextOf({ timestamp, resource }: { timestamp: number; resource?: boolean }): string {
  return resource ? `${timestamp}, recorded` : `${timestamp}`;
}

export function timesOf(history: readonly string[]): number[] {
  return history.map((entry) => Number.parseInt(entry, 10));
}

const occurrenceOf = (scheduleId: string, scheduledAt: number) => `${scheduleId} ${scheduledAt}`;

/** Makes the dog bark at an occurrence of its schedule. Returns false if it has already barked at this occurrence. */
export function barkAtOccurrence(dog: ModelDog, scheduledAt: number, effects: readonly Effect[]): boolean {
  const { schedule } = dog;
  if (!schedule) throw new Error('The dog has no schedule.');
  const occurrence = occurrenceOf(schedule.scheduleId, scheduledAt);
  if (dog.occurrences.includes(occurrence)) return false;
  dog.occurrences.push(occurrence);
  dog.lastOccurrence = Math.max(dog.lastOccurrence ?? 0, scheduledAt);
  dog.schedule = { ...schedule, lastOccurrence: Math.max(schedule.lastOccurrence ?? 0, scheduledAt) };
  bark(dog, effects, scheduledAt);
  return true;
}

/** Replaces the schedule, and returns the number of emails. @param suspensions those of the dog when the service read it */
export function setSchedule(
  { dog, schedules }: { dog: ModelDog; schedules: ReferenceModel['schedules'] },
  plan: Plan,
  scheduleId: string,
  at: number,
  suspensions: Dog['suspensions'],
): number {
  const { start, frequency, barksNow, hasBarked } = plan;
  schedules[scheduleId] = { ...plan, created: at };
  dog.schedule = { scheduleId, start, frequency, ...(hasBarked && { lastOccurrence: start }) };
  touchSettings(dog, at);
  if (!barksNow) return 0;
  barkAtOccurrence(dog, start, dog.settings.barkEffects);
  return mailsOf(dog.settings.barkEffects, { settings: dog.settings, suspensions });
}

export function endSchedule(dog: ModelDog, at: number): void {
  if (dog.schedule) dog.schedule = { ...dog.schedule, ended: true };
  touchSettings(dog, at);
}

/** Returns the occurrence that EventBridge Scheduler delivers when a schedule fires for the nth time, counting from 0. */
export function deliveredOccurrence(schedule: ModelSchedule, n: number): number {
  const scheduledAt = nthOccurrence(schedule, n + undeliveredOf(schedule));
  if (scheduledAt === null) throw new Error(`The schedule does not fire ${n + 1} times.`);
  return scheduledAt;
}

export function hasBarkedAt(dog: ModelDog, schedule: ModelSchedule, scheduleId: string, n: number): boolean {
  return dog.occurrences.includes(occurrenceOf(scheduleId, deliveredOccurrence(schedule, n)));
}

/** Returns the status that GET shows for an asynchronous bark. */
export function statusOf({ status, deadline }: ModelBark, at: number): ModelBark['status'] {
  return status === 'pending' && deadline <= at ? 'failed' : status;
}

export function isBarking({ dog, barks }: ReferenceModel, at: number): boolean {
  return Object.values(barks).some(
    (bark) => bark.incarnation === dog?.incarnation && statusOf(bark, at) === 'pending',
  );
}

/**
 * Stands in for the `scheduleId` of a schedule that was never created in EventBridge Scheduler. The model appends the dog's
 * version to it.
 */
export const unknownScheduleId = 'unknown';
