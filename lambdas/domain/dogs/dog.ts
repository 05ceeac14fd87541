import { RFC_EMAIL_REGEX } from 'valibot';
import type { Schedule } from '../schedules/schedule.ts';

/** What a bark of the dog does. `record` brings `count` along. */
export const effects = ['emailDog', 'emailOwner', 'count', 'record'] as const;
export type Effect = (typeof effects)[number];

/** A dog id: it stands in URLs and in the names of schedules. */
export const dogId = /^[A-Za-z0-9_-]{1,40}$/;

/** RFC 5321 section 4.5.3.1.3 gives a path 256 octets, two of which are its angle brackets. */
export const longestAddress = 254;

/** What a client sets of a dog. */
export interface DogSettings {
  readonly email?: string | undefined;
  /** A URI reference. */
  readonly owner?: string | undefined;
  readonly barkEffects: Effect[];
  readonly barkHandling: 'sync' | 'async';
}

/** A dog as the service keeps it. */
export interface Dog {
  readonly id: string;
  /** The ULID of this incarnation: a dog that is deleted and made again under its old id is another dog. */
  readonly incarnation: string;
  /** Counts every write, barks too. */
  readonly version: number;
  /** Unix seconds of the last write; it never goes back. */
  readonly lastModified: number;
  /** Counts the changes that clients make. */
  readonly settingsVersion: number;
  /** Unix seconds of the last change that a client made. */
  readonly settingsModified: number;
  readonly settings: DogSettings;
  /** Names the PUT that made them, by which it is known again; absent for a dog of an earlier release. */
  readonly settingsChange?: string;
  readonly barkCount: number;
  /** The one schedule that it has, or had last. */
  readonly schedule?: Schedule;
  /**
   * The latest slot of all schedules at which the dog barked, in Unix seconds. It never goes back, even if the clocks of
   * two functions differ. It is only shown: what a schedule does next depends on `schedule.lastOccurrence`.
   */
  readonly lastOccurrence?: number;
}

/**
 * The addresses that a bark with these effects is mailed to; undefined for one that is missing. None for a bark without
 * mail.
 */
export function recipientsOf(
  effects: readonly Effect[],
  { email, owner }: Pick<DogSettings, 'email' | 'owner'>,
): (string | undefined)[] {
  return effects.flatMap((effect) => {
    if (effect === 'emailDog') return [email];
    return effect === 'emailOwner' ? [mailboxOf(owner)] : [];
  });
}

/** The addresses that a bark with the dog's own effects is mailed to; PUT sees to it that none is missing. */
export function recipientsOfDog({ settings }: Pick<Dog, 'settings'>): string[] {
  return recipientsOf(settings.barkEffects, settings).filter((address) => address !== undefined);
}

/** The address of an owner who can be notified: RFC 6068, with one address and nothing else. */
export function mailboxOf(owner: string | undefined): string | undefined {
  const [, encoded] = /^mailto:([^?,#]+)$/i.exec(owner ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const address = decoded(encoded);
  return isMailAddress(address) ? address : undefined;
}

function isMailAddress(text: string | undefined): text is string {
  return text !== undefined && text.length <= longestAddress && RFC_EMAIL_REGEX.test(text);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // what the percent signs encode is not UTF-8
  }
}
