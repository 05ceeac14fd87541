import type { Effect } from '../dogs/dog.ts';
import { seconds } from '../platform/request-context.ts';
import { isKeyOf, nameIn, sortKey } from './keys.ts';

/** A bark that is a resource, as GET shows it. */
export interface Bark {
  readonly id: string;
  /** The ID of the dog. */
  readonly dog: string;
  /** When the bark happened, in Unix seconds; null until then. */
  readonly timestamp: number | null;
  readonly status: 'pending' | 'complete' | 'failed' | 'cancelled';
  /** Why the bark failed, as a sentence. */
  readonly reason?: string;
  /** True for an asynchronous bark that is complete and has changed the dog. Clients then GET the dog. */
  readonly seeDog: boolean;
}

/** An item of the barks table: a bark that happened. */
export interface HistoryEntry {
  readonly dog: string;
  /** The name in the key is a ULID. The time of the ULID is the time of the bark. */
  readonly sk: string;
  /** The incarnation of the dog that barked. */
  readonly incarnation: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** True if GET shows the bark as a resource; absent if the bark only counts. */
  readonly resource?: true;
  /** The ID of the asynchronous bark that became this entry. */
  readonly barkId?: string;
  /**
   * The state of the mail of a scheduled bark: a run sends it or has sent it, a run must send it again, or it has failed.
   * Absent for a bark without mail, and for a bark whose mail was sent before the entry was written.
   */
  readonly mail?: 'inProgress' | 'retry' | 'failed';
  /** Identifies the run of the function that sends the mail, or that last sent it. */
  readonly claim?: string;
  /** Identifies the delivery that the run handles; absent for a bark that is not delivered again. */
  readonly delivery?: string;
}

/** An item of the barks table: an asynchronous bark that was accepted. */
export interface AsyncBark {
  readonly dog: string;
  /** The name in the key is a ULID. */
  readonly sk: string;
  readonly incarnation: string;
  /** `inProgress`: a run sends the mail, and the bark can no longer be cancelled. Clients see the bark as pending. */
  readonly status: 'pending' | 'inProgress' | 'complete' | 'failed' | 'cancelled';
  /** The effects of the bark, fixed when the service accepted it. */
  readonly effects: readonly Effect[];
  readonly message?: string;
  /** True if the bark gets a history entry even if it does not count. */
  readonly inHistory?: true;
  /** Unix seconds after which an open bark counts as failed, and can no longer begin. */
  readonly deadline: number;
  /** Identifies the run of the function that has claimed the bark. */
  readonly claim?: string | undefined;
  /** Unix seconds until which no other run may fail the bark. */
  readonly claimEnds?: number | undefined;
  readonly timestamp?: number;
  readonly reason?: string;
  /** Unix seconds after which the bark no longer exists; absent for a recorded bark that is complete. */
  readonly expires?: number | undefined;
}

/** An item of the barks table: a marker of a pending asynchronous bark. */
export interface PendingMarker {
  readonly dog: string;
  /** The name in the key is the deadline and the ULID of the bark. */
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
 * The pattern of cursors of the list of barks: the ULID of the history entry after which the page begins, and a signature.
 * A bark ID cannot be the cursor, because the ID of an asynchronous bark does not determine its place in the list.
 */
export const barkCursor = new RegExp(`^${ulid}\\.[\\w-]{${cursorSignatureLength}}$`);

/** Returns the sort key of the item that a bark ID names, or undefined if the text is not a bark ID. */
export function sortKeyOf(id: string): string | undefined {
  if (!barkId.test(id)) return undefined;
  return sortKey(id.startsWith('s') ? 'historyEntry' : 'asyncBark', id.slice(1));
}

/** Returns the bark ID of an item. */
export function idOf({ sk }: { sk: string }): string {
  return (isKeyOf('historyEntry', sk) ? 's' : 'a') + nameIn(sk);
}

/** Returns the bark of a history entry, or undefined if the bark is not a resource. */
export function barkOfEntry(item: HistoryEntry): Bark | undefined {
  if (!item.resource) return undefined;
  const { dog, timestamp, barkId: id = idOf(item) } = item;
  return { id, dog, timestamp, status: 'complete', seeDog: false };
}

/** The reason of a failed bark whose run died, so that the service does not know whether the mail was sent. */
export const mailUnknown = 'The mail may have been sent.';

const notInTime = 'The bark was not performed in time.';

/** Returns an asynchronous bark as GET shows it at a time. @param now milliseconds since 1970 */
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

/** Returns true while the bark is neither complete nor failed nor cancelled. */
export function isOpen({ status }: AsyncBark): boolean {
  return status === 'pending' || status === 'inProgress';
}

function isOverdue({ deadline }: AsyncBark, now: number): boolean {
  return deadline <= seconds(now);
}

/** Returns true if a bark with these effects changes the dog. */
export function isCounted(effects: readonly Effect[]): boolean {
  return effects.includes('count') || isRecorded(effects);
}

/** Returns true if a bark with these effects becomes a permanent resource. */
export function isRecorded(effects: readonly Effect[]): boolean {
  return effects.includes('record');
}
