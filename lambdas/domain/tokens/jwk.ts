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

/** All published keys, in one item. */
export interface Publication {
  readonly keys: readonly PublishedKey[];
  /** The end of the lease of the replacement that is in progress, in Unix seconds. Absent if there is none. */
  readonly leaseEnds?: number;
  /** The number of writes. */
  readonly version: number;
}
