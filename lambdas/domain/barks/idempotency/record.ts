import { createHmac, hash } from 'node:crypto';
import type { Dog } from '../../dogs/dog.ts';
import { sortKey } from '../keys.ts';
import type { BarkOutcome, BarkRequest } from '../request.ts';

/** An item of the barks table: a request with an idempotency key, in progress or completed. */
export interface IdempotencyRecord {
  readonly dog: string;
  /** The name in the key is a digest of incarnation, resource, user and idempotency key. No two dogs share an item. */
  readonly sk: string;
  readonly incarnation: string;
  /** A digest of the request that has the idempotency key as its secret, so that the digest does not reveal the request. */
  readonly payloadHash: string;
  /** Identifies the run of the function that handles or handled the request. */
  readonly claim: string;
}

/** The progress of the request of a record. */
export type IdempotencyState =
  /** In progress: Unix seconds until which no other run may handle the request. */
  | { readonly claimEnds: number }
  /** Completed. */
  | { readonly outcome: BarkOutcome };

/** Returns the record of a request, without its progress and with a new claim; undefined if the request has no key. */
export function idempotencyRecordOf(
  dog: Dog,
  { key, message, isAsync = false }: BarkRequest,
): IdempotencyRecord | undefined {
  if (!key) return undefined;
  const { user, resource, value } = key;
  const name = JSON.stringify([dog.incarnation, resource, user, value]);
  const payload = JSON.stringify([message, isAsync]);
  return {
    dog: dog.id,
    sk: sortKey('idempotencyRecord', hash('sha256', name, 'base64url')),
    incarnation: dog.incarnation,
    payloadHash: createHmac('sha256', value).update(payload).digest('base64url'),
    claim: crypto.randomUUID(),
  };
}
