import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { database, failedCondition, run } from '../platform/dynamodb.ts';
import { AlreadyExists, NotFound } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import { accessName } from './keys.ts';

/** The kinds of items in the table of those who may call, by which their keys begin. */
const prefixes = { user: 'u#', client: 'c#', grant: 'g#' } as const;
export type Kind = keyof typeof prefixes;

/** What each of these items has beside what its kind needs. */
export interface AccessItem {
  /** What is revoked and made again under its old name is another: the ULID of this incarnation. */
  readonly incarnation: string;
  /** Unix seconds. */
  readonly created: number;
}

/** Returns the key of an item. */
export function accessKey(kind: Kind, name: string): { pk: string } {
  return { pk: prefixes[kind] + name };
}

/** Returns true if an item of a kind may have this name. The name of a grant consists of two names. */
function isName(kind: Kind, name: string): boolean {
  const parts = name.split('/');
  return parts.length === (kind === 'grant' ? 2 : 1) && parts.every((part) => accessName.test(part));
}

/** An item, by a name that may be anything. What has no such name costs the same call as what does not exist. */
export async function findAccess<Fields = object>(
  kind: Kind,
  name: string,
  context: RequestContext,
): Promise<(AccessItem & Fields) | undefined> {
  const command = new GetCommand({
    TableName: environment('ACCESS_TABLE'),
    Key: accessKey(kind, isName(kind, name) ? name : ''),
    ConsistentRead: true,
  });
  const { Item } = await run((options) => database.send(command, options), context);
  return Item as (AccessItem & Fields) | undefined;
}

/**
 * Returns an item.
 *
 * @throws NotFound if no item of this kind has the name
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function readAccess(kind: Kind, name: string, context: RequestContext): Promise<AccessItem> {
  const item = await findAccess(kind, name, context);
  if (!item) throw new NotFound(kind, name);
  return item;
}

/**
 * Makes an item, or gives one that exists other fields.
 *
 * @throws AlreadyExists unless `replace`
 */
export async function putAccess(
  kind: Kind,
  name: string,
  fields: Readonly<Record<string, unknown>>,
  { replace }: { readonly replace: boolean },
  context: RequestContext,
): Promise<void> {
  const names = Object.keys(fields);
  const command = new UpdateCommand({
    TableName: environment('ACCESS_TABLE'),
    Key: accessKey(kind, name),
    UpdateExpression: [
      'SET incarnation = if_not_exists(incarnation, :incarnation), created = if_not_exists(created, :created)',
      ...names.map((field) => `#${field} = :${field}`),
    ].join(', '),
    ...(!replace && { ConditionExpression: 'attribute_not_exists(pk)' }),
    ExpressionAttributeNames: Object.fromEntries(names.map((field) => [`#${field}`, field])),
    ExpressionAttributeValues: {
      ':incarnation': ulid(context.now),
      ':created': seconds(context.now),
      ...Object.fromEntries(names.map((field) => [`:${field}`, fields[field]])),
    },
  });
  await run((options) => database.send(command, options), context).catch((error) => {
    throw failedCondition(error) ? new AlreadyExists(kind, name) : error;
  });
}

/** @throws NotFound */
export async function deleteAccess(kind: Kind, name: string, context: RequestContext): Promise<void> {
  const command = new DeleteCommand({
    TableName: environment('ACCESS_TABLE'),
    Key: accessKey(kind, name),
    ConditionExpression: 'attribute_exists(pk)',
  });
  await run((options) => database.send(command, options), context).catch((error) => {
    throw failedCondition(error) ? new NotFound(kind, name) : error;
  });
}
