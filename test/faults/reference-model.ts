import { isCounted, isRecorded } from '../../lambdas/domain/barks/bark.ts';
import { type Dog, type Effect, recipientsOf } from '../../lambdas/domain/dogs/dog.ts';
import type { Plan, Schedule } from '../../lambdas/domain/schedules/schedule.ts';
import { occurrenceUlid } from '../../lambdas/domain/schedules/schedule.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * A sequential model of a dog. Concurrent operations on the service must have the same results as the same operations on this
 * model in some sequential order. The model has no tables, conditions or claims. For rules that do not need these, such as
 * which occurrence is next, it uses the code of the service.
 */
export interface ReferenceModel {
  dog: ModelDog | undefined;
  /** All asynchronous barks that were accepted, by ID. */
  readonly barks: Record<string, ModelBark>;
  /** The idempotency records. */
  readonly idempotencyRecords: { incarnation: string; value: string; isAsync: boolean; outcome: string }[];
  /** The earlier, deleted incarnations of the dog. */
  readonly deleted: Dog[];
  /** The deleted incarnations that were purged. */
  readonly purged: string[];
}

export interface ModelDog extends Mutable<Dog> {
  /** The history entries as text: their times, and whether GET shows them. */
  history: string[];
  /** The ULIDs of the occurrences at which the dog has barked. */
  occurrences: string[];
  /** The applied requests (PATCH of the dog, POST to bark-schedule). The key consists of the values that identify a repeat. */
  appliedChanges: Record<string, string>;
}

interface ModelBark {
  readonly incarnation: string;
  readonly effects: readonly Effect[];
  readonly inHistory: boolean;
  readonly deadline: number;
  status: 'pending' | 'complete' | 'failed' | 'cancelled';
}

export const emptyModel = (): ReferenceModel => ({
  dog: undefined,
  barks: {},
  idempotencyRecords: [],
  deleted: [],
  purged: [],
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

/**
 * Records a write to the dog.
 *
 * @param at Unix seconds
 */
export function touch(dog: ModelDog, at: number): void {
  dog.version += 1;
  dog.lastModified = Math.max(dog.lastModified, at);
}

/**
 * Records a write to the settings or the schedule of the dog.
 *
 * @param at Unix seconds
 */
export function touchSettings(dog: ModelDog, at: number): void {
  touch(dog, at);
  dog.settingsVersion += 1;
  dog.settingsModified = dog.lastModified;
}

/** Makes the dog bark: adds a history entry, and increments the count if the effects include `count` or `record`. */
export function bark(dog: ModelDog, effects: readonly Effect[], timestamp: number): void {
  dog.history = [...dog.history, entryTextOf({ timestamp, resource: isRecorded(effects) })].sort();
  if (isCounted(effects)) dog.barkCount += 1;
}

/** Returns a history entry as text. */
export function entryTextOf({ timestamp, resource }: { timestamp: number; resource?: boolean }): string {
  return resource ? `${timestamp}, recorded` : `${timestamp}`;
}

/**
 * Makes the dog bark at an occurrence.
 *
 * @param scheduledAt Unix seconds
 * @returns false if the dog has already barked at this occurrence
 */
export function barkAtOccurrence(
  dog: ModelDog,
  schedule: Pick<Schedule, 'scheduleId'>,
  scheduledAt: number,
  effects: readonly Effect[],
): boolean {
  const ulid = occurrenceUlid(schedule, scheduledAt);
  if (dog.occurrences.includes(ulid)) return false;
  dog.occurrences.push(ulid);
  dog.lastOccurrence = Math.max(dog.lastOccurrence ?? 0, scheduledAt);
  if (dog.schedule?.scheduleId === schedule.scheduleId)
    dog.schedule = {
      ...dog.schedule,
      lastOccurrence: Math.max(dog.schedule.lastOccurrence ?? 0, scheduledAt),
    };
  bark(dog, effects, scheduledAt);
  return true;
}

/**
 * Replaces the schedule of the dog.
 *
 * @param at Unix seconds
 * @returns the number of emails that the service sends
 */
export function schedule(
  dog: ModelDog,
  { start, frequency, atOnce }: Plan,
  scheduleId: string,
  at: number,
): number {
  dog.schedule = { scheduleId, start, frequency };
  touchSettings(dog, at);
  if (!atOnce) return 0;
  barkAtOccurrence(dog, dog.schedule, start, dog.settings.barkEffects);
  return mailsOf(dog, dog.settings.barkEffects);
}

export function endSchedule(dog: ModelDog, at: number): void {
  if (dog.schedule) dog.schedule = { ...dog.schedule, ended: true };
  touchSettings(dog, at);
}

/** Returns the number of emails that a bark with these effects sends. One email goes to both the dog and the owner. */
export function mailsOf({ settings }: Pick<Dog, 'settings'>, effects: readonly Effect[]): 0 | 1 {
  return recipientsOf(effects, settings).length > 0 ? 1 : 0;
}

/** Returns true if the dog lacks an address that these effects need. */
export function lacksAddress({ settings }: Pick<Dog, 'settings'>, effects: readonly Effect[]): boolean {
  return recipientsOf(effects, settings).includes(undefined);
}

/**
 * Returns the status that GET shows for an asynchronous bark.
 *
 * @param at Unix seconds
 */
export function statusOf({ status, deadline }: ModelBark, at: number): ModelBark['status'] {
  return status === 'pending' && deadline <= at ? 'failed' : status;
}

export function isBarking({ dog, barks }: ReferenceModel, at: number): boolean {
  return Object.values(barks).some(
    (bark) => bark.incarnation === dog?.incarnation && statusOf(bark, at) === 'pending',
  );
}

/**
 * Replaces the scheduleId if the schedule was never created in EventBridge Scheduler. The model appends the dog's version to
 * it.
 */
export const unknownScheduleId = 'unknown';
