import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { JWK } from 'jose';
import { environment } from '../environment.ts';
import { type Call, seconds } from './call.ts';
import { database, failedConditions, run } from './database.ts';

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
  readonly version: number;
}

/** How long whoever reads keys may keep them, in seconds. */
export const keysMaxAge = 60;

const key = { pk: 'j#keys' };

/** The keys that access tokens may be signed with, those to come among them. */
export async function readPublishedKeys(call: Call): Promise<Key[]> {
  const { keys } = await readPublication(call);
  const valid = keys.filter(({ expires = Number.POSITIVE_INFINITY }) => expires > seconds(call.now));
  return valid.map(({ jwk }) => jwk);
}

/** Publishes other keys than before; those that have expired go. */
export async function publishKeys(
  change: (keys: readonly PublishedKey[]) => PublishedKey[],
  call: Call,
): Promise<void> {
  for (;;) {
    const { keys, version } = await readPublication(call);
    const valid = keys.filter(({ expires = Number.POSITIVE_INFINITY }) => expires > seconds(call.now));
    const command = new PutCommand({
      TableName: environment('ACCESS_TABLE'),
      Item: { ...key, keys: change(valid), version: version + 1 },
      ConditionExpression: 'attribute_not_exists(pk) OR version = :version',
      ExpressionAttributeValues: { ':version': version },
    });
    try {
      await run((options) => database.send(command, options), call);
      return;
    } catch (error) {
      // Another change was faster: look again.
      if (!failedConditions(error)) throw error;
    }
  }
}

async function readPublication(call: Call): Promise<Publication> {
  const command = new GetCommand({ TableName: environment('ACCESS_TABLE'), Key: key, ConsistentRead: true });
  const { Item } = await run((options) => database.send(command, options), call);
  return (Item as Publication | undefined) ?? { keys: [], version: 0 };
}
