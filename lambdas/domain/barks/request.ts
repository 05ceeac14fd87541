import type { Bark } from './bark.ts';

/** The client's name for a request. The service performs a request with a key once, even if the client repeats it. */
export interface IdempotencyKey {
  /** The user that sent the key. */
  readonly user: string;
  /** The resource of the dog that the request was sent to. */
  readonly resource: 'bark' | 'barks';
  readonly value: string;
}

/**
 * The result of a request to bark: the service sent mail and stored nothing, counted the bark, recorded the bark, or accepted
 * an asynchronous bark.
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
  /** The text of the mail. */
  readonly message?: string | undefined;
  /** True if the client asks for an asynchronous bark of a dog that barks synchronously. */
  readonly isAsync?: boolean;
  /** True if the bark gets a history entry even if it is neither counted nor recorded. */
  readonly inHistory?: boolean;
  /** Identifies a repeat of the request. Without a key, each request is a separate bark. */
  readonly key?: IdempotencyKey | undefined;
}
