import { GetCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { commit, type Part } from '../platform/commit.ts';
import { isConditionFailed, send } from '../platform/dynamodb.ts';
import { NotFound } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import { type AccessItemType, accessKey, isName, prefixes } from './keys.ts';
import { hashOf, newSecret } from './secret.ts';

export class AlreadyExists extends Error {
  override readonly name = 'AlreadyExists';
  readonly what: 'user' | 'client' | 'grant';

  constructor(what: AlreadyExists['what'], id: string) {
    super(`The ${what} "${id}" already exists.`);
    this.what = what;
  }
}

export interface AccessItem {
  /** A ULID. An item that is revoked and created again under the same name gets a new incarnation. */
  readonly incarnation: string;
  /** In Unix seconds. */
  readonly created: number;
}

/** What a write requires of the item: that it does not exist, that it exists, or nothing. */
export type Requirement = 'absent' | 'present' | 'none';

/**
 * The name may be any text. An invalid name causes the same request as an unknown name, so that the response time does not reveal
 * which names are valid.
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
  const { Item } = await send(command, context);
  return Item as Item | undefined;
}

/** @throws NotFound if no item of this type has the name */
export async function readAccessItem(
  type: AccessItemType,
  name: string,
  context: RequestContext,
): Promise<AccessItem> {
  const item = await findAccessItem(type, name, context);
  if (!item) throw new NotFound(type, name);
  return item;
}

/** All attributes except the hashes. `#user` stands for `user`, which is a reserved word in DynamoDB. */
const listedAttributes = 'pk, incarnation, created, #user, client, userIncarnation, clientIncarnation';

/**
 * Returns the items without their hashes, sorted by name. Scans the whole table.
 *
 * @param newContext called for each page
 */
export async function listAccessItems<Item extends AccessItem = AccessItem>(
  type: AccessItemType,
  newContext: () => RequestContext,
): Promise<(Item & { readonly name: string })[]> {
  const prefix = prefixes[type];
  const found: (Item & { pk: string; name: string })[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const command = new ScanCommand({
      TableName: environment('ACCESS_TABLE'),
      ConsistentRead: true,
      FilterExpression: 'begins_with(pk, :prefix)',
      ExpressionAttributeValues: { ':prefix': prefix },
      ProjectionExpression: listedAttributes,
      ExpressionAttributeNames: { '#user': 'user' },
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    const page = await send(command, newContext());
    for (const item of (page.Items ?? []) as (Item & { pk: string })[])
      found.push({ ...item, name: item.pk.slice(prefix.length) });
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const hashAttribute = { user: 'passwordHash', client: 'secretHash' } as const;

/** Returns the new secret, but stores only its hash. An existing item keeps its incarnation, and therefore its grants. */
export async function putNewSecret(
  type: 'user' | 'client',
  name: string,
  requirement: Requirement,
  context: RequestContext,
): Promise<string> {
  const secret = newSecret();
  const attribute = hashAttribute[type];
  const conditions = {
    // If the hash is stored, an earlier attempt succeeded, but its response was lost.
    absent: { ConditionExpression: `attribute_not_exists(pk) OR ${attribute} = :hash` },
    present: { ConditionExpression: 'attribute_exists(pk)' },
    none: {},
  };
  const command = new UpdateCommand({
    TableName: environment('ACCESS_TABLE'),
    Key: accessKey(type, name),
    UpdateExpression: `SET incarnation = if_not_exists(incarnation, :incarnation), created = if_not_exists(created, :created), ${attribute} = :hash`,
    ...conditions[requirement],
    ExpressionAttributeValues: {
      ':incarnation': ulid(context.now),
      ':created': seconds(context.now),
      ':hash': hashOf(secret),
    },
  });
  await send(command, context).catch((error) => {
    if (!isConditionFailed(error)) throw error;
    throw requirement === 'present' ? new NotFound(type, name) : new AlreadyExists(type, name);
  });
  return secret;
}

export async function deleteAccessItem(
  type: AccessItemType,
  name: string,
  context: RequestContext,
): Promise<void> {
  const removal = {
    TableName: environment('ACCESS_TABLE'),
    Key: accessKey(type, name),
    ConditionExpression: 'attribute_exists(pk)',
  };
  // A transaction, so that DynamoDB recognizes a repeated attempt by its client request token. A repeat must not delete an item
  // that was created later.
  const item: Part<NotFound> = {
    actions: [{ Delete: removal }],
    // An earlier attempt may have deleted the item, even though DynamoDB did not recognize this attempt's token.
    judge: ([failure]) => (failure?.wasRetried ? 'written' : { refusal: new NotFound(type, name) }),
  };
  const refused = await commit({ item }, context);
  if (refused) throw refused.refusal;
}
