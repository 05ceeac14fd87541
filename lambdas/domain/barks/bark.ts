import { decodeTime } from 'ulid';
import type { Dog } from '../dogs/dog.ts';
import type { UpcomingBarks } from '../dogs/schedule.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { isKeyOf, nameIn, sortKey } from './keys.ts';

export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
  constructor() {
    super('The cursor does not come from this list.');
  }
}

/** A bark that is a resource, as GET shows it. */
export interface Bark {
  readonly id: string;
  readonly dog: string;
  /** In Unix seconds; null if the bark has not happened. */
  readonly timestamp: number | null;
  readonly status: 'pending' | 'complete' | 'failed' | 'cancelled';
  readonly reason?: string;
  /** True for a complete asynchronous bark that is counted. GET then redirects the client to the dog. */
  readonly seeDog: boolean;
}

/** Why a bark failed. Clients see these texts. */
export const reasons = {
  mailUnknown: 'The mail may have been sent.',
  dogDeleted: 'The dog was deleted.',
  notInTime: 'The bark was not performed in time.',
  noAddress: 'The dog no longer has an email address that this bark needs.',
  serviceFailed: 'The service failed.',
} as const;

export interface DogView extends UpcomingBarks {
  readonly dog: Dog;
  /** The latest barks, oldest first, in Unix seconds. */
  readonly previous: number[];
  readonly barking: boolean;
}

export interface IdempotencyKey {
  readonly user: string;
  /** The last segment of the URL. */
  readonly resource: 'bark' | 'barks';
  readonly value: string;
}

export interface BarkRequest {
  /** Without a user, only the dog's limits apply. */
  readonly user?: string | undefined;
  readonly message?: string | undefined;
  /** True if the client asks for an asynchronous bark. Otherwise, the dog's settings decide. */
  readonly isAsync?: boolean;
  /** True if even a bark that is neither counted nor recorded needs a history entry. */
  readonly inHistory?: boolean;
  readonly key?: IdempotencyKey | undefined;
  /** Checks the preconditions before the dog barks. Does not apply to a repeat with the same key. */
  readonly check?: (dog: Dog, context: RequestContext) => Promise<void> | void;
}

/** `sent`: the service sent mail, but neither counted nor recorded the bark. */
export type BarkOutcome =
  | {
      readonly kind: 'sent' | 'counted';
      /** Unix seconds. */
      readonly timestamp: number;
    }
  | { readonly kind: 'recorded'; readonly bark: Bark }
  | { readonly kind: 'accepted'; readonly bark: Bark };

const ulid = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

/** `s` and a ULID for a history entry, `a` and a ULID for an asynchronous bark. */
export const barkId = new RegExp(`^[as]${ulid}$`);

export const cursorSignatureLength = 16;

/**
 * The ULID of the history entry after which the page begins, and a signature. An asynchronous bark's ID does not determine its
 * place in the list, so bark IDs cannot be cursors.
 */
export const barkCursor = new RegExp(`^${ulid}\\.[\\w-]{${cursorSignatureLength}}$`);

export function sortKeyOf(id: string): string | undefined {
  if (!barkId.test(id)) return undefined;
  return sortKey(id.startsWith('s') ? 'historyEntry' : 'asyncBark', id.slice(1));
}

export function idOf({ sk }: { sk: string }): string {
  return (isKeyOf('historyEntry', sk) ? 's' : 'a') + nameIn(sk);
}

/** When the service accepted an asynchronous bark, in milliseconds since 1970. */
export function timeOf(barkId: string): number {
  return decodeTime(barkId.slice(1));
}
