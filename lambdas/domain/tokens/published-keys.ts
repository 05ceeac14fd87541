import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { JWK } from 'jose';
import { environment } from '../../environment.ts';
import { database, failedCondition, run } from '../platform/dynamodb.ts';
import { NotYet } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';

/** A key of this service: its `kid` (RFC 7517 section 4.5) tells it from all others. */
export type Key = JWK & { readonly kid: string };

/** A public key, as it is published. */
export interface PublishedKey {
  readonly jwk: Key;
  /** Unix seconds after which it is published no more; absent until it is replaced. */
  readonly expires?: number;
}

/** The one item that holds all of them, so that they are read by one call. */
interface Publication {
  readonly keys: readonly PublishedKey[];
  /** Unix seconds until which somebody who replaces the key has it to himself; absent if nobody does. */
  readonly takenUntil?: number;
  readonly version: number;
}

/** How long whoever reads keys may keep them, in seconds. */
export const keysMaxAge = 60;

/** How long a replacement may take, in seconds: a little longer than the calls that it is made of. */
const lease = 15;

const key = { pk: 'j#keys' };

/** The keys that access tokens may be signed with, those to come among them. */
export async function readPublishedKeys(context: RequestContext): Promise<Key[]> {
  const { keys } = await readPublication(context);
  return keys.map(({ jwk }) => jwk);
}

/**
 * Publishes a key beside the others.
 *
 * @throws NotYet if another one is being published: two at once would each take the other back
 */
export function publishKey(jwk: Key, context: RequestContext): Promise<void> {
  return publish(({ keys, takenUntil = 0 }) => {
    if (takenUntil > seconds(context.now))
      throw new NotYet('Another key is being put in place. Try again in a few seconds.');
    return { keys: [...keys, { jwk }], takenUntil: seconds(context.now) + lease };
  }, context);
}

/** Has all keys but one expire, at a time in Unix seconds, unless they do so before. */
export function expireOtherKeys(kid: string, expires: number, context: RequestContext): Promise<void> {
  return publish(
    ({ keys }) => ({ keys: keys.map((one) => (one.jwk.kid === kid ? one : { expires, ...one })) }),
    context,
  );
}

async function publish(
  change: (publication: Publication) => Omit<Publication, 'version'>,
  context: RequestContext,
): Promise<void> {
  for (;;) {
    const publication = await readPublication(context);
    const { version } = publication;
    const command = new PutCommand({
      TableName: environment('ACCESS_TABLE'),
      Item: { ...key, ...change(publication), version: version + 1 },
      ConditionExpression: 'attribute_not_exists(pk) OR version = :version',
      ExpressionAttributeValues: { ':version': version },
    });
    try {
      await run((options) => database.send(command, options), context);
      return;
    } catch (error) {
      // Another change was faster: look again.
      if (!failedCondition(error)) throw error;
    }
  }
}

/** What is published and has not expired. */
async function readPublication(context: RequestContext): Promise<Publication> {
  const command = new GetCommand({ TableName: environment('ACCESS_TABLE'), Key: key, ConsistentRead: true });
  const { Item } = await run((options) => database.send(command, options), context);
  const { keys, ...publication } = (Item as Publication | undefined) ?? { keys: [], version: 0 };
  const valid = keys.filter(({ expires = Number.POSITIVE_INFINITY }) => expires > seconds(context.now));
  return { ...publication, keys: valid };
}
