import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { type Action, database, failedCondition, run, transact } from '../platform/dynamodb.ts';
import { AlreadyExists, NotFound } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import type { Publication } from '../tokens/jwk.ts';
import type { AccessItem, Grant } from './items.ts';
import { type AccessItemType, accessKey, grantName, isName, publicationKey } from './keys.ts';

/**
 * Returns an item, or undefined if it does not exist. The name may be any text. Makes the same call for an invalid name as
 * for the name of an item that does not exist.
 *
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function findAccessItem<Item extends AccessItem = AccessItem>(
  type: AccessItemType,
  name: string,
  context: RequestContext,
): Promise<Item | undefined> {
  const command = new GetCommand({
    TableName: environment('ACCESS_TABLE'),
    Key: accessKey(type, isName(type, name) ? name : ''),
    ConsistentRead: true,
  });
  const { Item } = await run((options) => database.send(command, options), context);
  return Item as Item | undefined;
}

/**
 * Returns an item.
 *
 * @throws NotFound if no item of this type has the name
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function readAccessItem(
  type: AccessItemType,
  name: string,
  context: RequestContext,
): Promise<AccessItem> {
  const item = await findAccessItem(type, name, context);
  if (!item) throw new NotFound(type, name);
  return item;
}

const hashAttribute = { user: 'passwordHash', client: 'secretHash' } as const;

/**
 * Creates a user or a client, or replaces the hash of an existing one. A replacement keeps the incarnation, and therefore the
 * grants.
 *
 * @throws AlreadyExists if the item exists, unless `replace`
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the item was written
 */
export async function putAccessItem(
  type: 'user' | 'client',
  name: string,
  hash: string,
  { replace }: { readonly replace: boolean },
  context: RequestContext,
): Promise<void> {
  const command = new UpdateCommand({
    TableName: environment('ACCESS_TABLE'),
    Key: accessKey(type, name),
    UpdateExpression: `SET incarnation = if_not_exists(incarnation, :incarnation), created = if_not_exists(created, :created), ${hashAttribute[type]} = :hash`,
    ...(!replace && { ConditionExpression: 'attribute_not_exists(pk)' }),
    ExpressionAttributeValues: {
      ':incarnation': ulid(context.now),
      ':created': seconds(context.now),
      ':hash': hash,
    },
  });
  await run((options) => database.send(command, options), context).catch((error) => {
    throw failedCondition(error) ? new AlreadyExists(type, name) : error;
  });
}

/**
 * Deletes an item.
 *
 * @throws NotFound if no item of this type has the name
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the item was deleted
 */
export async function deleteAccessItem(
  type: AccessItemType,
  name: string,
  context: RequestContext,
): Promise<void> {
  const command = new DeleteCommand({
    TableName: environment('ACCESS_TABLE'),
    Key: accessKey(type, name),
    ConditionExpression: 'attribute_exists(pk)',
  });
  await run((options) => database.send(command, options), context).catch((error) => {
    throw failedCondition(error) ? new NotFound(type, name) : error;
  });
}

/**
 * Writes a grant if its user and its client still have the incarnations that the grant names. Without `replace`, also requires
 * that no grant of these incarnations exists.
 *
 * @throws ConditionsFailed if a condition failed. Use `conditionFailuresOf<'grant' | 'user' | 'client'>` to read the error
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the grant was written
 */
export function putGrant(
  grant: Grant,
  { replace }: { readonly replace: boolean },
  context: RequestContext,
): Promise<void> {
  const { user, client, userIncarnation, clientIncarnation } = grant;
  const put = {
    TableName: environment('ACCESS_TABLE'),
    Item: { ...accessKey('grant', grantName(user, client)), ...grant },
    ...(!replace && {
      ConditionExpression:
        'attribute_not_exists(pk) OR userIncarnation <> :userIncarnation OR clientIncarnation <> :clientIncarnation',
      ExpressionAttributeValues: {
        ':userIncarnation': userIncarnation,
        ':clientIncarnation': clientIncarnation,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    }),
  };
  return transact(
    {
      grant: { Put: put },
      user: incarnationCheck('user', user, userIncarnation),
      client: incarnationCheck('client', client, clientIncarnation),
    },
    context,
  );
}

/** Returns a transaction action that fails if an item no longer has the given incarnation. */
function incarnationCheck(type: 'user' | 'client', name: string, incarnation: string): Action {
  return {
    ConditionCheck: {
      TableName: environment('ACCESS_TABLE'),
      Key: accessKey(type, name),
      ConditionExpression: 'incarnation = :incarnation',
      ExpressionAttributeValues: { ':incarnation': incarnation },
    },
  };
}

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
 * @returns false if another write came first, so that nothing was written
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
    if (failedCondition(error)) return false;
    throw error;
  }
}
