import type { JWK } from 'jose';

/**
 * A key of the service, with the `kid` that tokens contain.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7517#section-4.5 RFC 7517 section 4.5}
 */
export type Key = JWK & { readonly kid: string };

/** A public key, as the service publishes it. */
export interface PublishedKey {
  readonly jwk: Key;
  /** The time after which the key is no longer published, in Unix seconds. Absent until the key is replaced. */
  readonly expires?: number;
}

/** All published keys, which are in one item of the access table. */
export interface Publication {
  readonly keys: readonly PublishedKey[];
  /** The end of the lease of a key replacement, in Unix seconds. Absent if no replacement is in progress. */
  readonly leaseEnds?: number;
  /** The number of writes. */
  readonly version: number;
}
