import { DeleteCommand, GetCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { environment } from '../environment.ts';
import type { Call } from './call.ts';
import { database, failedConditions, moveLastModified, run } from './database.ts';
import { type Dog, type DogSettings, dogId } from './dog.ts';
import { NotFound, PreconditionFailed } from './errors.ts';

/** A state of a dog, as its entity tag names it. */
export type DogState = Pick<Dog, 'life' | 'version'>;

/** What a client demands of the dog's state before a change (RFC 9110 section 13.1). */
export interface Precondition {
  /** One of these states, or any state of a dog that exists. */
  readonly match?: readonly DogState[] | 'any';
  /** None of these states, or no dog at all. */
  readonly noneMatch?: readonly DogState[] | 'any';
}

/** @throws NotFound */
export async function readDog(id: string, call: Call): Promise<Dog> {
  if (!dogId.test(id)) throw new NotFound('dog', id);
  const command = new GetCommand({ TableName: environment('DOGS_TABLE'), Key: { id }, ConsistentRead: true });
  const { Item } = await run((options) => database.send(command, options), call);
  if (!Item) throw new NotFound('dog', id);
  return Item as Dog;
}

/**
 * Creates a dog, or replaces what a client sets of it; its count, its barks and its schedule stay.
 *
 * @returns the dog, if it is new
 * @throws PreconditionFailed
 */
export async function putDog(
  id: string,
  settings: DogSettings,
  precondition: Precondition,
  call: Call,
): Promise<Dog | undefined> {
  const life = ulid(call.now);
  const demand = conditionOf(precondition);
  const write = async (lastModified: number): Promise<Dog | undefined> => {
    const command = new UpdateCommand({
      TableName: environment('DOGS_TABLE'),
      Key: { id },
      UpdateExpression:
        'SET settings = :settings, lastModified = :lastModified, settingsModified = :lastModified,' +
        ' life = if_not_exists(life, :life), barkCount = if_not_exists(barkCount, :zero)' +
        ' ADD version :one, settingsVersion :one',
      ConditionExpression: [
        '(attribute_not_exists(id) OR lastModified <= :lastModified)',
        ...demand.expressions,
      ].join(' AND '),
      ExpressionAttributeValues: {
        ...demand.values,
        ':settings': settings,
        ':lastModified': lastModified,
        ':life': life,
        ':zero': 0,
        ':one': 1,
      },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    const { Attributes } = await run((options) => database.send(command, options), call);
    const dog = Attributes as Dog;
    return dog.life === life ? dog : undefined;
  };
  return moveLastModified(write, call).catch((error) => {
    throw failedConditions(error) ? preconditionFailed(id) : error;
  });
}

/**
 * Removes a dog. What it leaves is unreachable at once; the table's stream has it purged.
 *
 * @throws NotFound, PreconditionFailed
 */
export async function deleteDog(id: string, precondition: Precondition, call: Call): Promise<void> {
  if (!dogId.test(id)) throw new NotFound('dog', id);
  const { expressions, values } = conditionOf(precondition);
  const command = new DeleteCommand({
    TableName: environment('DOGS_TABLE'),
    Key: { id },
    ConditionExpression: ['attribute_exists(id)', ...expressions].join(' AND '),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  await run((options) => database.send(command, options), call).catch((error) => {
    const [failure] = failedConditions(error) ?? [];
    if (!failure) throw error;
    throw failure.item ? preconditionFailed(id) : new NotFound('dog', id);
  });
}

/** A page of dogs, in no order that means anything; `next` is the id after which the following page begins. */
export async function listDogs(
  page: { readonly limit: number; readonly after?: string | undefined },
  call: Call,
): Promise<{ dogs: Dog[]; next?: string }> {
  const command = new ScanCommand({
    TableName: environment('DOGS_TABLE'),
    Limit: page.limit,
    ConsistentRead: true,
    ...(page.after !== undefined && { ExclusiveStartKey: { id: page.after } }),
  });
  const { Items = [], LastEvaluatedKey } = await run((options) => database.send(command, options), call);
  return { dogs: Items as Dog[], ...(LastEvaluatedKey && { next: LastEvaluatedKey.id as string }) };
}

function conditionOf({ match, noneMatch }: Precondition): {
  expressions: string[];
  values: Record<string, unknown>;
} {
  const states = [match, noneMatch].flatMap((demand) => (Array.isArray(demand) ? demand : []));
  const values = Object.fromEntries(
    states.flatMap(({ life, version }, i) => [
      [`:life${i}`, life],
      [`:version${i}`, version],
    ]),
  );
  // DynamoDB refuses redundant parentheses.
  const isIn = (demanded: readonly DogState[]) =>
    demanded
      .map((state) => states.indexOf(state))
      .map((i) => `life = :life${i} AND version = :version${i}`)
      .join(' OR ') || 'attribute_exists(id) AND attribute_not_exists(id)';
  return {
    expressions: [
      ...(match ? [match === 'any' ? 'attribute_exists(id)' : `(${isIn(match)})`] : []),
      ...(noneMatch ? [noneMatch === 'any' ? 'attribute_not_exists(id)' : `NOT (${isIn(noneMatch)})`] : []),
    ],
    values,
  };
}

function preconditionFailed(id: string): PreconditionFailed {
  return new PreconditionFailed(`The dog "${id}" is not in the state that the request demands.`);
}
