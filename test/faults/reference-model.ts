import { isCounted, isRecorded } from '../../lambdas/domain/barks/bark.ts';
import { type Dog, type Effect, recipientsOf } from '../../lambdas/domain/dogs/dog.ts';
import type { Plan, Schedule } from '../../lambdas/domain/schedules/schedule.ts';
import { occurrenceUlid } from '../../lambdas/domain/schedules/schedule.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * A dog in memory, to which one thing happens at a time: what the service must look like, whatever happens at once. It
 * knows no table, no condition and no claim. The rules that need neither, such as which slot is next, are the service's.
 */
export interface World {
  dog: ModelDog | undefined;
  /** The asynchronous barks that were ever accepted, by their ids. */
  readonly barks: Record<string, ModelBark>;
  /** The barks that were asked for by a key. */
  readonly keys: { incarnation: string; value: string; isAsync: boolean; outcome: string }[];
  /** The dogs of this id that were deleted. */
  readonly deleted: Dog[];
  /** The lives of those of them that were purged. */
  readonly purged: string[];
}

export interface ModelDog extends Mutable<Dog> {
  /** The barks that are noted: their times, and whether GET shows them. */
  notes: string[];
  /** The slots that have barked. */
  slots: string[];
  /** What was asked for by PATCH and by POST bark-schedule, by what tells its repeat. */
  memories: Record<string, string>;
}

interface ModelBark {
  readonly incarnation: string;
  readonly effects: readonly Effect[];
  readonly inHistory: boolean;
  readonly deadline: number;
  status: 'pending' | 'complete' | 'failed' | 'cancelled';
}

export const nobody = (): World => ({ dog: undefined, barks: {}, keys: [], deleted: [], purged: [] });

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
    notes: [],
    slots: [],
    memories: {},
  };
}

/** A write of the dog, at a time in Unix seconds. */
export function touch(dog: ModelDog, at: number): void {
  dog.version += 1;
  dog.lastModified = Math.max(dog.lastModified, at);
}

/** A write of what clients set of the dog. */
export function touchSettings(dog: ModelDog, at: number): void {
  touch(dog, at);
  dog.settingsVersion += 1;
  dog.settingsModified = dog.lastModified;
}

/** The dog barks: it is noted, and counted if the effects say so. */
export function bark(dog: ModelDog, effects: readonly Effect[], timestamp: number): void {
  dog.notes = [...dog.notes, noteOf({ timestamp, resource: isRecorded(effects) })].sort();
  if (isCounted(effects)) dog.barkCount += 1;
}

export function noteOf({ timestamp, resource }: { timestamp: number; resource?: boolean }): string {
  return resource ? `${timestamp}, recorded` : `${timestamp}`;
}

/** The dog barks at a slot of its schedule. @returns false if it has done so before */
export function barkAtSlot(
  dog: ModelDog,
  schedule: Pick<Schedule, 'scheduleId'>,
  slot: number,
  effects: readonly Effect[],
): boolean {
  const ulid = occurrenceUlid(schedule, slot);
  if (dog.slots.includes(ulid)) return false;
  dog.slots.push(ulid);
  dog.lastOccurrence = Math.max(dog.lastOccurrence ?? 0, slot);
  if (dog.schedule?.scheduleId === schedule.scheduleId)
    dog.schedule = { ...dog.schedule, lastOccurrence: Math.max(dog.schedule.lastOccurrence ?? 0, slot) };
  bark(dog, effects, slot);
  return true;
}

/** The dog has another schedule. @returns how many mails go out */
export function schedule(
  dog: ModelDog,
  { start, frequency, atOnce }: Plan,
  scheduleId: string,
  at: number,
): number {
  dog.schedule = { scheduleId, start, frequency };
  touchSettings(dog, at);
  if (!atOnce) return 0;
  barkAtSlot(dog, dog.schedule, start, dog.settings.barkEffects);
  return mailsOf(dog, dog.settings.barkEffects);
}

export function endSchedule(dog: ModelDog, at: number): void {
  if (dog.schedule) dog.schedule = { ...dog.schedule, ended: true };
  touchSettings(dog, at);
}

/** How many mails a bark with these effects sends: dog and owner get one together. */
export function mailsOf({ settings }: Pick<Dog, 'settings'>, effects: readonly Effect[]): 0 | 1 {
  return recipientsOf(effects, settings).length > 0 ? 1 : 0;
}

/** True if a bark with these effects lacks an address that its mail needs. */
export function lacksAddress({ settings }: Pick<Dog, 'settings'>, effects: readonly Effect[]): boolean {
  return recipientsOf(effects, settings).includes(undefined);
}

/** What GET shows of an asynchronous bark. */
export function statusOf({ status, deadline }: ModelBark, at: number): ModelBark['status'] {
  return status === 'pending' && deadline <= at ? 'failed' : status;
}

export function isBarking({ dog, barks }: World, at: number): boolean {
  return Object.values(barks).some(
    (bark) => bark.incarnation === dog?.incarnation && statusOf(bark, at) === 'pending',
  );
}

/** How the scheduleId of a schedule begins that the scheduler was not asked for: only the service knows its rest. */
export const nameless = 'nameless';
