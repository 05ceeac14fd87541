import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { JWK } from 'jose';
import { environment } from '../../environment.ts';
import { publicationKey } from '../access/keys.ts';
import { isConditionFailed, send } from '../platform/dynamodb.ts';
import { NotYet } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';

/** @see {@link https://www.rfc-editor.org/rfc/rfc7517#section-4.5 RFC 7517 section 4.5} */
export type Key = JWK & { readonly kid: string };

export interface PublishedKey {
  readonly jwk: Key;
  /** The time after which the key is no longer published, in Unix seconds. Absent until the key is replaced. */
  readonly expires?: number;
}

/** The access table's item that contains all published keys (see `docs/data-model.md`). */
interface Publication {
  readonly keys: readonly PublishedKey[];
  readonly leaseEnds?: number;
  readonly version: number;
}

/** How long programs may cache the published keys. `signingKey` caches the private keys for almost as long. */
export const keysMaxAgeSeconds = 60;

/** Longer than replacing a key can take. */
const replacementLeaseSeconds = 15;

/** Returns the keys that verify valid access tokens, and any new key that has not begun to sign. */
export async function readPublishedKeys(context: RequestContext): Promise<Key[]> {
  return (await listPublishedKeys(context)).map(({ jwk }) => jwk);
}

export async function listPublishedKeys(context: RequestContext): Promise<PublishedKey[]> {
  const { keys } = await readPublication(context);
  return unexpired(keys, context);
}

/**
 * Also acquires the lease for the replacement. Without the lease, two concurrent replacements would each set an expiry time for
 * the other's key.
 */
export function publishKey(jwk: Key, context: RequestContext): Promise<void> {
  return publish(({ keys, leaseEnds = 0 }) => {
    if (leaseEnds > seconds(context.now))
      throw new NotYet('Another replacement of the key is in progress. Try again in a few seconds.');
    return { keys: [...keys, { jwk }], leaseEnds: seconds(context.now) + replacementLeaseSeconds };
  }, context);
}

/**
 * Also releases the lease. A key that already has an expiry time keeps it, so a repeat changes nothing.
 *
 * @param expires Unix seconds
 */
export function expireOtherKeys(kid: string, expires: number, context: RequestContext): Promise<void> {
  return publish(
    ({ keys }) => ({ keys: keys.map((key) => (key.jwk.kid === kid ? key : { expires, ...key })) }),
    context,
  );
}

/** Applies a change, and repeats it if another write came first. */
async function publish(
  change: (publication: Publication) => Omit<Publication, 'version'>,
  context: RequestContext,
): Promise<void> {
  for (;;) {
    const stored = await readPublication(context);
    const changed = change({ ...stored, keys: unexpired(stored.keys, context) });
    if (await putPublication({ ...changed, version: stored.version + 1 }, context)) return;
  }
}

async function readPublication(context: RequestContext): Promise<Publication> {
  const command = new GetCommand({
    TableName: environment('ACCESS_TABLE'),
    Key: publicationKey,
    ConsistentRead: true,
  });
  const { Item } = await send(command, context);
  return (Item as Publication | undefined) ?? { keys: [], version: 0 };
}

/** Returns false if another write came first, or if an earlier attempt at this write succeeded, but its response was lost. */
async function putPublication(publication: Publication, context: RequestContext): Promise<boolean> {
  const command = new PutCommand({
    TableName: environment('ACCESS_TABLE'),
    Item: { ...publicationKey, ...publication },
    ConditionExpression: 'attribute_not_exists(pk) OR version = :version',
    ExpressionAttributeValues: { ':version': publication.version - 1 },
  });
  try {
    await send(command, context);
    return true;
  } catch (error) {
    if (isConditionFailed(error)) return false;
    throw error;
  }
}

function unexpired(keys: readonly PublishedKey[], context: RequestContext): PublishedKey[] {
  return keys.filter(({ expires = Number.POSITIVE_INFINITY }) => expires > seconds(context.now));
}
