import { decodeTime } from 'ulid';
import type { Effect } from '../dogs/dog.ts';
import { isKeyOf, nameIn, sortKey } from '../dogs/keys.ts';
import { seconds } from '../platform/request-context.ts';

/** A bark that is a resource, as GET shows it. */
export interface Bark {
  readonly id: string;
  /** The ID of the dog. */
  readonly dog: string;
  /** When the bark happened, in Unix seconds; null if it has not happened. */
  readonly timestamp: number | null;
  readonly status: 'pending' | 'complete' | 'failed' | 'cancelled';
  /** Why the bark failed, as a sentence. */
  readonly reason?: string;
  /** True for an asynchronous bark that is complete and increased the bark count. GET then redirects the client to the dog. */
  readonly seeDog: boolean;
}

/** An item of the barks table: a bark that has happened. */
export interface HistoryEntry {
  readonly dog: string;
  /** The sort key: a prefix and a ULID. The time of the ULID is the time of the bark. */
  readonly sk: string;
  /** The incarnation of the dog that barked. */
  readonly incarnation: string;
  /** When the bark happened, in Unix seconds. */
  readonly timestamp: number;
  /** True if GET shows the bark as a resource; absent if the bark is not recorded. */
  readonly resource?: true;
  /** The ID of the asynchronous bark that became this entry. */
  readonly barkId?: string;
  /**
   * The state of a scheduled bark's mail. `inProgress`: an invocation is sending the mail, or has sent it as part of a schedule
   * change. `sent`: the mail was sent. `retry`: the mail was not sent, and a later invocation must send it. `failed`: the mail
   * failed, and no invocation sends it again. `dropped`: the dog's mails had reached their limit, so no invocation sends the mail.
   * Absent for a bark without mail, and for a bark whose mail was sent before the entry was written.
   */
  readonly mail?: 'inProgress' | 'sent' | 'retry' | 'failed' | 'dropped';
  /** Identifies the invocation that is sending the mail, or the last one that tried to send it. */
  readonly claim?: string;
  /**
   * The end of the claim's lease, in Unix seconds. Until then, the invocation with this `claim` may be sending the mail. Absent
   * without a `delivery`.
   */
  readonly claimEnds?: number;
  /**
   * The request ID of the Lambda event that the invocation with this `claim` handles. Lambda's retries of the event have the same
   * ID. Absent for a bark without mail, and for a bark that is part of a schedule change.
   */
  readonly delivery?: string;
}

/** An item of the barks table: an asynchronous bark that was accepted. */
export interface AsyncBark {
  readonly dog: string;
  /** The sort key: a prefix and a ULID. */
  readonly sk: string;
  readonly incarnation: string;
  /**
   * `inProgress`: an invocation is sending the mail, and the bark can no longer be cancelled. Clients see the bark as pending.
   */
  readonly status: 'pending' | 'inProgress' | 'complete' | 'failed' | 'cancelled';
  /** The effects that the dog had when the service accepted the bark. */
  readonly effects: readonly Effect[];
  readonly message?: string;
  /** True if the bark gets a history entry even if it is neither counted nor recorded. */
  readonly inHistory?: true;
  /**
   * The time at which the bark counts as failed if it is still pending or in progress, in Unix seconds. From then on, no
   * invocation can claim the bark.
   */
  readonly deadline: number;
  /** Identifies the invocation that has claimed the bark, or the last one that has released its claim. */
  readonly claim?: string | undefined;
  /** The end of the claim's lease, in Unix seconds. Until then, no other invocation may fail the bark. */
  readonly claimEnds?: number | undefined;
  readonly timestamp?: number;
  readonly reason?: string;
  /** When the bark expires, in Unix seconds. Absent for a recorded bark that is complete. */
  readonly expires?: number | undefined;
}

/** An item of the barks table: a marker that exists while an asynchronous bark is pending or in progress. */
export interface PendingMarker {
  readonly dog: string;
  /** The sort key: a prefix, and the deadline and the ULID of the bark. */
  readonly sk: string;
  readonly incarnation: string;
  /** The deadline of the bark, in Unix seconds. */
  readonly expires: number;
}

const ulid = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

/** The pattern of bark IDs: `s` and a ULID for a history entry, `a` and a ULID for an asynchronous bark. */
export const barkId = new RegExp(`^[as]${ulid}$`);

/** The number of characters of the signature of a cursor. */
export const cursorSignatureLength = 16;

/**
 * The pattern of the cursors in the list of barks: the ULID of the history entry after which the page begins, and a signature. A
 * bark ID cannot serve as a cursor, because the ID of an asynchronous bark does not determine its place in the list.
 */
export const barkCursor = new RegExp(`^${ulid}\\.[\\w-]{${cursorSignatureLength}}$`);

/** Returns the sort key of the item that a bark ID identifies, or undefined if the text is not a bark ID. */
export function sortKeyOf(id: string): string | undefined {
  if (!barkId.test(id)) return undefined;
  return sortKey(id.startsWith('s') ? 'historyEntry' : 'asyncBark', id.slice(1));
}

/** Returns the bark ID that identifies a history entry or an asynchronous bark. */
export function idOf({ sk }: { sk: string }): string {
  return (isKeyOf('historyEntry', sk) ? 's' : 'a') + nameIn(sk);
}

/** Returns the time of the ULID in a bark ID, in milliseconds since 1970: when the service accepted an asynchronous bark. */
export function timeOf(barkId: string): number {
  return decodeTime(barkId.slice(1));
}

/** Returns the bark of a history entry, or undefined if the bark is not a resource. */
export function barkOfEntry(item: HistoryEntry): Bark | undefined {
  if (!item.resource) return undefined;
  const { dog, timestamp, barkId: id = idOf(item) } = item;
  return { id, dog, timestamp, status: 'complete', seeDog: false };
}

/** The reason that clients see if a bark failed and the service does not know whether its mail was sent. */
export const mailUnknown = 'The mail may have been sent.';

/** The reason that clients see if the dog was deleted before the bark was complete. */
export const dogDeleted = 'The dog was deleted.';

/** The reason that clients see if no invocation performed a bark before its deadline. */
export const notInTime = 'The bark was not performed in time.';

/**
 * Returns an asynchronous bark as GET shows it at a given time.
 *
 * @param now milliseconds since 1970
 */
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

/** Returns true if the bark is pending or in progress. */
export function isOpen({ status }: AsyncBark): boolean {
  return status === 'pending' || status === 'inProgress';
}

function isOverdue({ deadline }: AsyncBark, now: number): boolean {
  return deadline <= seconds(now);
}

/** Returns true if a bark with these effects increases the dog's bark count. */
export function isCounted(effects: readonly Effect[]): boolean {
  return effects.includes('count') || isRecorded(effects);
}

/** Returns true if a bark with these effects becomes a permanent resource. */
export function isRecorded(effects: readonly Effect[]): boolean {
  return effects.includes('record');
}
