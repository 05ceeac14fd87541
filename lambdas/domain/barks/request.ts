import type { Bark } from './bark.ts';

/** The identifier that a client gives a request. The service performs the request only once, even if the client repeats it. */
export interface IdempotencyKey {
  /** The user that sent the key. */
  readonly user: string;
  /** The resource of the dog to which the client sent the request. */
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
  /** True if the client asks for an asynchronous bark, even if the dog barks synchronously by default. */
  readonly isAsync?: boolean;
  /** True if the bark gets a history entry even if it is neither counted nor recorded. */
  readonly inHistory?: boolean;
  /** Identifies repeats of the request. Without a key, every request is a separate bark. */
  readonly key?: IdempotencyKey | undefined;
}
