import { GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { database, run } from '../platform/dynamodb.ts';
import { NotFound } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { type Dog, dogId } from './dog.ts';

/** @throws NotFound if the dog does not exist */
export async function readDog(id: string, context: RequestContext): Promise<Dog> {
  const dog = await findDog(id, context);
  if (!dog) throw new NotFound('dog', id);
  return dog;
}

/** Reads nothing if the text is not a dog ID. */
export async function findDog(id: string, context: RequestContext): Promise<Dog | undefined> {
  if (!dogId.test(id)) return undefined;
  const command = new GetCommand({ TableName: environment('DOGS_TABLE'), Key: { id }, ConsistentRead: true });
  const { Item } = await run((options) => database.send(command, options), context);
  return Item as Dog | undefined;
}

/** Reads a page of dogs, in an arbitrary order. `after` and `next` are the IDs after which this page and the following one begin. */
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
  const { Items = [], LastEvaluatedKey } = await run((options) => database.send(command, options), context);
  return { dogs: Items as Dog[], ...(LastEvaluatedKey && { next: LastEvaluatedKey.id as string }) };
}
