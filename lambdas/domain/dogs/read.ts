import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { GetCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { commit, type Part, raise } from '../platform/commit.ts';
import { database, isConditionFailed, run } from '../platform/dynamodb.ts';
import { NotFound, StateMismatch } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import { changeDog } from './change.ts';
import { type Dog, type DogSettings, dogId } from './dog.ts';
import {
  checkPrecondition,
  hasSeveralStates,
  narrowPrecondition,
  type Precondition,
} from './precondition.ts';
import { type Condition, conditionOf } from './update-expression.ts';

/**
 * Reads a dog.
 *
 * @throws NotFound if the dog does not exist
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function readDog(id: string, context: RequestContext): Promise<Dog> {
  const dog = await findDog(id, context);
  if (!dog) throw new NotFound('dog', id);
  return dog;
}

/**
 * Returns a dog, or undefined if it does not exist. Reads nothing if the text is not a dog ID.
 *
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function findDog(id: string, context: RequestContext): Promise<Dog | undefined> {
  if (!dogId.test(id)) return undefined;
  const command = new GetCommand({ TableName: environment('DOGS_TABLE'), Key: { id }, ConsistentRead: true });
  const { Item } = await run((options) => database.send(command, options), context);
  return Item as Dog | undefined;
}

/**
 * Creates a dog, or replaces the settings of an existing dog and keeps its count, barks and schedule. Does nothing if the dog
 * already has these settings. Safe to call twice.
 *
 * @returns the dog if it is new, otherwise undefined
 * @throws StateMismatch if the dog does not meet the precondition
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the dog has the settings
 */
export async function putDog(
  id: string,
  settings: DogSettings,
  precondition: Precondition,
  context: RequestContext,
): Promise<Dog | undefined> {
  // The unique name of this change. If the change creates the dog, this is also the incarnation of the dog.
  const change = ulid(context.now);
  const condition = await conditionFor(id, precondition, context);
  const changes = {
    isClientChange: true,
    settings: { values: settings, change, mailKey: newMailKey() },
    precondition: condition,
  };
  const dog = await commit(
    {
      dog: changeDog(
        id,
        changes,
        {
          isOwn: ({ settingsChange }) => settingsChange === change,
          judge: (stored) => ({ refusal: stored }),
        },
        context,
      ),
    },
    {
      written: (item) => item as unknown as Dog,
      refused: { dog: (stored) => unchanged(id, stored, settings, precondition) },
    },
    context,
  );
  return dog.incarnation === change ? dog : undefined;
}

function newMailKey(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the mail key of a dog. Creates the key if version 1.0.0 wrote the dog. No client can see this change, so it changes neither
 * `version` nor `lastModified`. Safe to call twice, also concurrently.
 *
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function mailKeyOf({ id, incarnation, mailKey }: Dog, context: RequestContext): Promise<string> {
  if (mailKey !== undefined) return mailKey;
  const created = newMailKey();
  const command = new UpdateCommand({
    TableName: environment('DOGS_TABLE'),
    Key: { id },
    UpdateExpression: 'SET mailKey = if_not_exists(mailKey, :created)',
    ConditionExpression: 'incarnation = :incarnation',
    ExpressionAttributeValues: { ':created': created, ':incarnation': incarnation },
    ReturnValues: 'ALL_NEW',
  });
  try {
    const { Attributes } = await run((options) => database.send(command, options), context);
    return (Attributes as Required<Dog>).mailKey;
  } catch (error) {
    // The dog was deleted. The links of its mails are no longer valid, whatever their key.
    if (isConditionFailed(error)) return created;
    throw error;
  }
}

/**
 * Returns the dog if a PUT failed only because it already has the settings.
 *
 * @throws StateMismatch if the dog does not meet the precondition, or does not have the settings
 */
function unchanged(id: string, dog: Dog | undefined, settings: DogSettings, precondition: Precondition): Dog {
  if (!dog) throw new StateMismatch(id);
  checkPrecondition(precondition, dog);
  if (!hasSettings(dog, settings)) throw new StateMismatch(id);
  return dog;
}

/** Returns true if a dog has these settings. DynamoDB does not store members that are undefined. */
function hasSettings(dog: Dog, settings: DogSettings): boolean {
  return isDeepStrictEqual(dog.settings, JSON.parse(JSON.stringify(settings)));
}

/**
 * Deletes a dog. Its barks and its schedule are then no longer visible, and the stream of the table triggers their purge.
 *
 * @throws NotFound if the dog does not exist
 * @throws StateMismatch if the dog does not meet the precondition
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the dog is deleted
 */
export async function deleteDog(
  id: string,
  precondition: Precondition,
  context: RequestContext,
): Promise<void> {
  if (!dogId.test(id)) throw new NotFound('dog', id);
  const { expressions, values } = await conditionFor(id, precondition, context);
  const removal = {
    TableName: environment('DOGS_TABLE'),
    Key: { id },
    ConditionExpression: ['attribute_exists(id)', ...expressions].join(' AND '),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  // A transaction, because DynamoDB recognizes a repeated attempt by its client request token. The attempt must not delete a dog that
  // was created later.
  const dog: Part<Error> = {
    actions: [{ Delete: removal }],
    judge: ([failure]) => {
      if (failure?.item) return { refusal: new StateMismatch(id) };
      // An earlier attempt may have deleted the dog, even though DynamoDB did not recognize the token of this one.
      return failure?.wasRetried ? 'written' : { refusal: new NotFound('dog', id) };
    },
  };
  await commit({ dog }, { written: () => {}, refused: { dog: raise } }, context);
}

/**
 * Reads a page of dogs, in an arbitrary order.
 *
 * @param page `after` is the ID after which the page begins
 * @returns the dogs, and in `next` the ID after which the following page begins if there is one
 * @throws Unavailable if DynamoDB is unavailable
 */
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

/**
 * Returns the condition for a precondition. Reads the dog only if the precondition has several states, because DynamoDB limits
 * the number of operands of a condition.
 */
async function conditionFor(
  id: string,
  precondition: Precondition,
  context: RequestContext,
): Promise<Condition> {
  if (!hasSeveralStates(precondition)) return conditionOf(precondition);
  return conditionOf(narrowPrecondition(precondition, await findDog(id, context)));
}
