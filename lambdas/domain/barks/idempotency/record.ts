import { createHmac, hash } from 'node:crypto';
import type { Dog } from '../../dogs/dog.ts';
import { sortKey } from '../../dogs/keys.ts';
import type { BarkOutcome, BarkRequest } from '../request.ts';

/** An item of the barks table: a request with an idempotency key, in progress or completed. */
export interface IdempotencyRecord {
  readonly dog: string;
  /**
   * The sort key: a prefix, and a digest of the incarnation, the resource, the user and the idempotency key. Two incarnations of
   * a dog never share a record.
   */
  readonly sk: string;
  readonly incarnation: string;
  /** An HMAC of the request. The idempotency key is the secret of the HMAC, so that the HMAC does not reveal the request. */
  readonly payloadHash: string;
  /** Identifies the invocation that handles or handled the request. */
  readonly claim: string;
}

/** The state of the request that a record identifies. */
export type IdempotencyState =
  /**
   * In progress: the end of the lease, in Unix seconds. After that, the mail may have been sent, and no invocation handles the
   * request again. It is 0 if an invocation has ended the lease, so that none can complete the request.
   */
  | { readonly claimEnds: number }
  /** Completed. */
  | { readonly outcome: BarkOutcome };

/** Returns the record of a request, with a new claim but without a state, or undefined if the request has no key. */
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
