import type { Dog } from '../dogs/dog.ts';
import type { RequestContext } from '../platform/request-context.ts';
import type { Bark } from './bark.ts';

/** An identifier that a client chooses for a request, so that the service detects repeats of the request. */
export interface IdempotencyKey {
  /** The user that sent the key. */
  readonly user: string;
  /** The last segment of the URL to which the client sent the request. */
  readonly resource: 'bark' | 'barks';
  readonly value: string;
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
  /** Identifies repeats of the request. Without a key, every request is a separate bark. */
  readonly key?: IdempotencyKey | undefined;
  /** Checks the preconditions of the request before the dog barks. The error that it throws is the outcome. */
  readonly check?: (dog: Dog, context: RequestContext) => Promise<void> | void;
}
