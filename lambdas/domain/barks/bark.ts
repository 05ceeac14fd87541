import { decodeTime } from 'ulid';
import type { Dog } from '../dogs/dog.ts';
import { isKeyOf, nameIn, sortKey } from '../dogs/keys.ts';
import type { UpcomingBarks } from '../dogs/schedule.ts';
import type { RequestContext } from '../platform/request-context.ts';

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

/** A dog with its latest barks, its pending bark and its next occurrence, as GET shows it. */
export interface DogView extends UpcomingBarks {
  readonly dog: Dog;
  /** The times of the latest barks in Unix seconds, oldest first. */
  readonly previous: number[];
  /** True while an asynchronous bark is pending. */
  readonly barking: boolean;
}

/** An identifier that a client chooses for a request, so that the service detects repeats of the request. */
export interface IdempotencyKey {
  /** The user that sent the key. */
  readonly user: string;
  /** The last segment of the URL to which the client sent the request. */
  readonly resource: 'bark' | 'barks';
  readonly value: string;
}

/** A request to make a dog bark. */
export interface BarkRequest {
  /** The user that sent the request. Without a user, only the limits of the dog apply. */
  readonly user?: string | undefined;
  /** The text of the mail. */
  readonly message?: string | undefined;
  /** True if the client asks for an asynchronous bark, even if the dog barks synchronously by default. */
  readonly isAsync?: boolean;
  /** True if the bark needs a history entry, even if it is neither counted nor recorded. */
  readonly inHistory?: boolean;
  /** Without a key, every request is a separate bark. */
  readonly key?: IdempotencyKey | undefined;
  /** Checks the preconditions of the request before the dog barks. The error that it throws is the outcome. */
  readonly check?: (dog: Dog, context: RequestContext) => Promise<void> | void;
}

/**
 * The result of a request to bark:
 *
 * - `sent`: the service sent mail, but did not count the bark.
 * - `counted`: the service counted the bark, but did not record it as a resource.
 * - `recorded`: the service recorded the bark as a resource.
 * - `accepted`: the service accepted an asynchronous bark.
 */
export type BarkOutcome =
  | {
      readonly kind: 'sent' | 'counted';
      /** Unix seconds. */
      readonly timestamp: number;
    }
  | { readonly kind: 'recorded'; readonly bark: Bark }
  | { readonly kind: 'accepted'; readonly bark: Bark };

const ulid = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

/** The pattern of bark IDs: `s` and a ULID for a history entry, `a` and a ULID for an asynchronous bark. */
export const barkId = new RegExp(`^[as]${ulid}$`);

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

/** Returns the bark ID of a history entry or an asynchronous bark. */
export function idOf({ sk }: { sk: string }): string {
  return (isKeyOf('historyEntry', sk) ? 's' : 'a') + nameIn(sk);
}

/** Returns when the service accepted an asynchronous bark, in milliseconds since 1970. The ULID in its ID contains the time. */
export function timeOf(barkId: string): number {
  return decodeTime(barkId.slice(1));
}
