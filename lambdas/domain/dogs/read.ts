import { GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { dogId } from '../../contract/dog-id.ts';
import { environment } from '../../environment.ts';
import { readItems, send } from '../platform/dynamodb.ts';
import { NotFound } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import type { Dog } from './dog.ts';

/** @throws NotFound if the dog does not exist */
export async function readDog(id: string, context: RequestContext): Promise<Dog> {
  const dog = await findDog(id, context);
  if (!dog) throw new NotFound('dog', id);
  return dog;
}

/** Reads nothing if `id` is not a valid dog ID. */
export async function findDog(id: string, context: RequestContext): Promise<Dog | undefined> {
  if (!dogId.test(id)) return undefined;
  const command = new GetCommand({ TableName: environment('DOGS_TABLE'), Key: { id }, ConsistentRead: true });
  const { Item } = await send(command, context);
  return Item as Dog | undefined;
}

/** DynamoDB may take days to delete an expired item. */
export function unexpired(
  item: Record<string, unknown> | undefined,
  context: RequestContext,
): Record<string, unknown> | undefined {
  const { expires = Number.POSITIVE_INFINITY } = item ?? {};
  return Number(expires) > seconds(context.now) ? item : undefined;
}

/** The dog and the item may be from different moments. */
export interface DogWith<Item> {
  readonly dog: Dog | undefined;
  readonly item: Item | undefined;
}

/** Makes one call, or none if `dog` is not a valid dog ID. */
export async function findDogAnd<Item>(
  { dog: id, sk }: { readonly dog: string; readonly sk: string | undefined },
  context: RequestContext,
): Promise<DogWith<Item>> {
  if (!dogId.test(id)) return { dog: undefined, item: undefined };
  const dogKey = { table: environment('DOGS_TABLE'), key: { id } };
  const itemKeys = sk === undefined ? [] : [{ table: environment('BARKS_TABLE'), key: { dog: id, sk } }];
  const [dog, item] = await readItems([dogKey, ...itemKeys], context);
  return { dog: dog as Dog | undefined, item: unexpired(item, context) as Item | undefined };
}

/** In arbitrary order. `after` and `next` are the IDs after which this page and the following one begin. */
export async function listDogs(
  page: { readonly limit: number; readonly after?: string | undefined },
  context: RequestContext,
): Promise<{ dogs: Dog[]; next?: string }> {
  const command = new ScanCommand({
    TableName: environment('DOGS_TABLE'),
    Limit: page.limit,
    ConsistentRead: true,
    ...(page.after !== undefined && { ExclusiveStartKey: { id: page.after } }),
  });
  const { Items = [], LastEvaluatedKey } = await send(command, context);
  return { dogs: Items as Dog[], ...(LastEvaluatedKey && { next: LastEvaluatedKey.id as string }) };
}
