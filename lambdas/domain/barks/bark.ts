import type { Effect } from '../dogs/dog.ts';
import { seconds } from '../platform/request-context.ts';
import { isKeyOf, nameIn, sortKey } from './keys.ts';

/** What a bark may be asked for with. */
export type BarkDocument = { readonly message?: string | undefined };

/** A bark that is a resource. */
export interface Bark {
  readonly id: string;
  /** The id of the dog. */
  readonly dog: string;
  /** When it happened, in Unix seconds; null until then. */
  readonly timestamp: number | null;
  readonly status: 'pending' | 'complete' | 'failed' | 'cancelled';
  /** Why it failed, in words. */
  readonly reason?: string;
  /** True for an asynchronous bark that is complete and has changed the dog: the dog is then what there is to see. */
  readonly seeDog: boolean;
}

/** An item of the table of barks: a bark that happened and is noted. */
export interface HistoryEntry {
  readonly dog: string;
  /** The name in the key is a ULID. Its time is the time of the bark. */
  readonly sk: string;
  /** The incarnation of the dog that barked. */
  readonly incarnation: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** True for a bark that GET shows as a resource; absent for one that only counts. */
  readonly resource?: true;
  /** The id of the asynchronous bark that became this one. */
  readonly barkId?: string;
  /**
   * How far the mail of a scheduled bark is: it was or is being handed over, it is to be tried again, or it failed for
   * good. Absent for a bark without mail, and for one whose mail went out before it was noted.
   */
  readonly mail?: 'inProgress' | 'retry' | 'failed';
  /** Which run of the function is at the mail, or was last. */
  readonly claim?: string;
  /** Of which delivery that run was a try; absent for a bark that nothing delivers again. */
  readonly delivery?: string;
}

/** An item of the table of barks: an asynchronous bark, from its acceptance on. */
export interface AsyncBark {
  readonly dog: string;
  /** The name in the key is a ULID. */
  readonly sk: string;
  readonly incarnation: string;
  /** `inProgress`: its mail is being handed over, and it can be cancelled no more. Clients see it as pending. */
  readonly status: 'pending' | 'inProgress' | 'complete' | 'failed' | 'cancelled';
  /** What it does, fixed when it was accepted. */
  readonly effects: readonly Effect[];
  readonly message?: string;
  /** True if it is to be noted even where it does not count. */
  readonly inHistory?: true;
  /** Unix seconds after which it reads as failed, and can neither begin nor end otherwise. */
  readonly deadline: number;
  /** Which run of the function has begun it. */
  readonly claim?: string | undefined;
  /** Unix seconds until which nobody else may judge it. */
  readonly claimEnds?: number | undefined;
  readonly timestamp?: number;
  readonly reason?: string;
  /** Unix seconds after which it is gone; absent for one that is recorded and complete. */
  readonly expires?: number | undefined;
}

const ulid = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

/** The id of a bark: `s` and its ULID if it happened at once, `a` and its ULID if it was accepted for later. */
export const barkId = new RegExp(`^[as]${ulid}$`);

/** How many characters the signature of a cursor has. */
export const cursorSignatureLength = 16;

/**
 * A cursor of the list of barks: the ULID of the history entry after which the page begins, and a signature. A bark id
 * cannot be the cursor, because the id of an asynchronous bark does not determine its place in the list.
 */
export const barkCursor = new RegExp(`^${ulid}\\.[\\w-]{${cursorSignatureLength}}$`);

/** The key of the item that a bark id names; undefined for what is no bark id. */
export function sortKeyOf(id: string): string | undefined {
  if (!barkId.test(id)) return undefined;
  return sortKey(id.startsWith('s') ? 'historyEntry' : 'asyncBark', id.slice(1));
}

export function idOf({ sk }: { sk: string }): string {
  return (isKeyOf('historyEntry', sk) ? 's' : 'a') + nameIn(sk);
}

/** The bark that a note is of; undefined if it is none that GET shows. */
export function barkOfEntry(item: HistoryEntry): Bark | undefined {
  if (!item.resource) return undefined;
  const { dog, timestamp, barkId: id = idOf(item) } = item;
  return { id, dog, timestamp, status: 'complete', seeDog: false };
}

/** Said of a bark that somebody began and did not end: nobody knows whether its mail went out. */
export const mailUnknown = 'Its mail may have been sent.';

const notInTime = 'It did not take effect in time.';

/** An asynchronous bark as it stands at a time, in milliseconds. */
export function barkOfAsync(item: AsyncBark, now: number): Bark {
  const { dog, effects, timestamp = null, reason } = item;
  const bark = { id: idOf(item), dog, timestamp, seeDog: false };
  if (!isOpen(item))
    return {
      ...bark,
      status: item.status as Bark['status'],
      seeDog: item.status === 'complete' && isCounted(effects),
      ...(reason !== undefined && { reason }),
    };
  if (!isOverdue(item, now)) return { ...bark, status: 'pending' };
  const why = item.status === 'inProgress' ? `${notInTime} ${mailUnknown}` : notInTime;
  return { ...bark, status: 'failed', reason: why };
}

/** True until it is complete, failed or cancelled. */
export function isOpen({ status }: AsyncBark): boolean {
  return status === 'pending' || status === 'inProgress';
}

function isOverdue({ deadline }: AsyncBark, now: number): boolean {
  return deadline <= seconds(now);
}

/** True if a bark with these effects changes the dog. */
export function isCounted(effects: readonly Effect[]): boolean {
  return effects.includes('count') || isRecorded(effects);
}

/** True if a bark with these effects becomes a lasting resource. */
export function isRecorded(effects: readonly Effect[]): boolean {
  return effects.includes('record');
}
