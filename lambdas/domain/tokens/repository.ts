import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { publicationKey } from '../access/keys.ts';
import { database, isConditionFailed, run } from '../platform/dynamodb.ts';
import type { RequestContext } from '../platform/request-context.ts';
import type { Publication } from './jwk.ts';

/**
 * Returns the published keys, including expired ones. Before the first write, the publication is empty and has version 0.
 *
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function readPublication(context: RequestContext): Promise<Publication> {
  const command = new GetCommand({
    TableName: environment('ACCESS_TABLE'),
    Key: publicationKey,
    ConsistentRead: true,
  });
  const { Item } = await run((options) => database.send(command, options), context);
  return (Item as Publication | undefined) ?? { keys: [], version: 0 };
}

/**
 * Replaces the published keys if the stored publication has the previous version.
 *
 * @returns false if the stored version is another one: another write came first, or an earlier attempt at this write succeeded,
 *   but its response was lost
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the keys were written
 */
export async function putPublication(publication: Publication, context: RequestContext): Promise<boolean> {
  const command = new PutCommand({
    TableName: environment('ACCESS_TABLE'),
    Item: { ...publicationKey, ...publication },
    ConditionExpression: 'attribute_not_exists(pk) OR version = :version',
    ExpressionAttributeValues: { ':version': publication.version - 1 },
  });
  try {
    await run((options) => database.send(command, options), context);
    return true;
  } catch (error) {
    if (isConditionFailed(error)) return false;
    throw error;
  }
}
