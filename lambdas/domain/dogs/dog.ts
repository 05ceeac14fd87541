import { randomBytes } from 'node:crypto';
import { RFC_EMAIL_REGEX } from 'valibot';
import { type DogSettings, dogSettings, settingNames } from '../../contract/dog-settings.ts';
import { maxAddressLength } from '../../contract/email-address.ts';
import type { Schedule } from './schedule.ts';

export type { DogSettings };

/** `record` includes `count`. */
export const effects = dogSettings.barkEffects.choices;
export type Effect = (typeof effects)[number];

export function isCounted(effects: readonly Effect[]): boolean {
  return effects.includes('count') || isRecorded(effects);
}

export function isRecorded(effects: readonly Effect[]): boolean {
  return effects.includes('record');
}

type PresentSettings = { readonly [Name in keyof DogSettings]: Exclude<DogSettings[Name], undefined> };

/** Returns the settings that have a value, without those that only another version of the service supports. */
export function knownSettings(settings: DogSettings): PresentSettings {
  const present = settingNames.filter((name) => settings[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, settings[name]])) as unknown as PresentSettings;
}

/** `list-full` means that the dog has too many suspensions to store another one. */
export const suspensionReasons = ['bounced', 'complained', 'unsubscribed', 'list-full'] as const;
type SuspensionReason = (typeof suspensionReasons)[number];

/**
 * The suspension of a dog's address, or the record that it was lifted. A suspension has no effect while the dog lacks the
 * address. Times are in Unix seconds.
 */
export interface Suspension {
  readonly address: string;
  readonly reason: SuspensionReason;
  readonly since: number;
  /** The time of the address's first suspension, if it was lifted and the address was suspended again. */
  readonly first?: number;
  readonly lifted?: number;
}

/** An item of the dogs table (see `docs/data-model.md`). Times are in Unix seconds. */
export interface Dog {
  readonly id: string;
  /** A ULID. A dog that is deleted and created again with the same ID gets a new incarnation. */
  readonly incarnation: string;
  readonly version: number;
  readonly lastModified: number;
  readonly settingsVersion: number;
  readonly settingsModified: number;
  readonly settings: DogSettings;
  readonly settingsChange?: string;
  readonly mailKey?: string;
  readonly barkCount: number;
  readonly schedule?: Schedule;
  /** Clients see this time, but the next occurrence depends on `schedule.lastOccurrence`. */
  readonly lastOccurrence?: number;
  /**
   * In the order of each address's first suspension, including those of former addresses. A later suspension of an address
   * takes the place of the earlier one; no address is removed.
   */
  readonly suspensions?: readonly Suspension[];
}

export function newMailKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns undefined in place of each missing address. */
export function recipientsOf(
  effects: readonly Effect[],
  { email, owner }: Pick<DogSettings, 'email' | 'owner'>,
): (string | undefined)[] {
  return effects.flatMap((effect) => {
    if (effect === 'emailDog') return [email];
    return effect === 'emailOwner' ? [mailboxOf(owner)] : [];
  });
}

/** No address is missing, because PUT requires each address that the effects need. */
export function recipientsOfDog({ settings }: Pick<Dog, 'settings'>): string[] {
  return recipientsOf(settings.barkEffects, settings).filter((address) => address !== undefined);
}

/**
 * Returns undefined if the owner is not a `mailto` URI with exactly one address and no header fields; see
 * {@link https://www.rfc-editor.org/rfc/rfc6068 RFC 6068}. The address may be one that only version 1.1.0 accepted.
 */
export function mailboxOf(owner: string | undefined): string | undefined {
  const [, encoded] = /^mailto:([^?,#]+)$/i.exec(owner ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const address = decoded(encoded);
  if (address === undefined || address.length > maxAddressLength) return undefined;
  return RFC_EMAIL_REGEX.test(address) ? address : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // the percent-encoding is malformed, or its octets are not UTF-8
  }
}
