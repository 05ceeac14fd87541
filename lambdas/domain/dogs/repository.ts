import { isDeepStrictEqual } from 'node:util';
import { GetCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import {
  type Action,
  conflictsOf,
  database,
  failedCondition,
  run,
  transact,
  wasRetried,
} from '../platform/dynamodb.ts';
import { NotFound, PreconditionFailed } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import type { Schedule } from '../schedules/schedule.ts';
import { type Dog, type DogSettings, dogId } from './dog.ts';
import { type DogTime, moveLastModified } from './last-modified.ts';

/** A state of a dog, as its entity tag names it. */
export type DogState = Pick<Dog, 'incarnation' | 'version'>;

/** What a client demands of the dog's state before a change (RFC 9110 section 13.1). */
export interface Precondition {
  /** One of these states, or any state of a dog that exists. */
  readonly match?: readonly DogState[] | 'any' | undefined;
  /** None of these states, or no dog at all. */
  readonly noneMatch?: readonly DogState[] | 'any' | undefined;
  /** No change after this time, in Unix seconds. A bark counts as a change. A dog that does not exist has no change. */
  readonly unmodifiedSince?: number | undefined;
}

/** @throws NotFound */
export async function readDog(id: string, context: RequestContext): Promise<Dog> {
  const dog = await findDog(id, context);
  if (!dog) throw new NotFound('dog', id);
  return dog;
}

export async function findDog(id: string, context: RequestContext): Promise<Dog | undefined> {
  if (!dogId.test(id)) return undefined;
  const command = new GetCommand({ TableName: environment('DOGS_TABLE'), Key: { id }, ConsistentRead: true });
  const { Item } = await run((options) => database.send(command, options), context);
  return Item as Dog | undefined;
}

/**
 * Creates a dog, or replaces what a client sets of it; its count, its barks and its schedule stay. If the dog has these
 * settings already, nothing changes.
 *
 * @returns the dog, if it is new
 * @throws PreconditionFailed
 */
export async function putDog(
  id: string,
  settings: DogSettings,
  precondition: Precondition,
  context: RequestContext,
): Promise<Dog | undefined> {
  // The name of this change, and of the incarnation too that it begins if there is no dog.
  const incarnation = ulid(context.now);
  const condition = conditionOf(await narrowPrecondition(precondition, id, context));
  const write = async (time: DogTime): Promise<Dog> => {
    const update = updateOf(id, {
      time,
      isClientChange: true,
      settings: { values: settings, change: incarnation },
      precondition: condition,
    });
    const command = new UpdateCommand({ ...update, ReturnValues: 'ALL_NEW' });
    const { Attributes } = await run((options) => database.send(command, options), context);
    return Attributes as Dog;
  };
  const dog = await moveLastModified(write, context, { isClientChange: true }).catch((error) => {
    const failure = failedCondition(error);
    if (!failure) throw error;
    const found = failure.item as Dog | undefined;
    if (!found) throw preconditionFailed(id);
    // The name of the change is this call's own: if it is there, a try took place whose answer was lost.
    if (found.settingsChange === incarnation) return found;
    checkPrecondition(precondition, found);
    if (!hasSettings(found, settings)) throw preconditionFailed(id);
    return found;
  });
  return dog.incarnation === incarnation ? dog : undefined;
}

/** Returns true if a dog has these settings. DynamoDB does not store members that are undefined. */
function hasSettings(dog: Dog, settings: DogSettings): boolean {
  return isDeepStrictEqual(dog.settings, JSON.parse(JSON.stringify(settings)));
}

/**
 * Removes a dog. What it leaves is unreachable at once; the table's stream has it purged.
 *
 * @throws NotFound, PreconditionFailed
 */
export async function deleteDog(
  id: string,
  precondition: Precondition,
  context: RequestContext,
): Promise<void> {
  if (!dogId.test(id)) throw new NotFound('dog', id);
  const { expressions, values } = conditionOf(await narrowPrecondition(precondition, id, context));
  const removal = {
    Delete: {
      TableName: environment('DOGS_TABLE'),
      Key: { id },
      ConditionExpression: ['attribute_exists(id)', ...expressions].join(' AND '),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  } as const;
  // By its token the repeat of a try that took place is known, and removes no dog that was made since.
  await transact({ dog: removal }, context).catch((error) => {
    const conflict = conflictsOf<'dog'>(error)?.dog;
    if (!conflict) throw error;
    if (conflict.item) throw preconditionFailed(id);
    // Of several tries one may have taken place, though its answer was lost, and the token with it.
    if (!wasRetried(error)) throw new NotFound('dog', id);
  });
}

/** A page of dogs, in no order that means anything; `next` is the id after which the following page begins. */
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

/** A condition of the database takes few operands: of several states, the one that the dog is in is all that matters. */
async function narrowPrecondition(
  precondition: Precondition,
  id: string,
  context: RequestContext,
): Promise<Precondition> {
  const { match, noneMatch } = precondition;
  if (![match, noneMatch].some((states) => Array.isArray(states) && states.length > 1)) return precondition;
  const dog = await findDog(id, context);
  const current = (states: Precondition['match']) =>
    Array.isArray(states) ? states.filter((state) => isIn(state, dog)).slice(0, 1) : states;
  return { ...precondition, match: current(match), noneMatch: current(noneMatch) };
}

/**
 * Holds a dog that was read to what a client demands of it.
 *
 * @throws PreconditionFailed
 */
export function checkPrecondition(
  { match = 'any', noneMatch = [], unmodifiedSince = Number.POSITIVE_INFINITY }: Precondition,
  dog: Dog,
): void {
  const includes = (states: readonly DogState[] | 'any') =>
    states === 'any' || states.some((state) => isIn(state, dog));
  if (!includes(match) || includes(noneMatch) || dog.lastModified > unmodifiedSince)
    throw preconditionFailed(dog.id);
}

function isIn({ incarnation, version }: DogState, dog: Dog | undefined): boolean {
  return incarnation === dog?.incarnation && version === dog.version;
}

/** A condition on a dog, for at most one state each. */
function conditionOf({ match, noneMatch, unmodifiedSince }: Precondition): Condition {
  const expressions: string[] = [];
  const values: Record<string, unknown> = {};
  const oneOf = (states: readonly DogState[], suffix: string) => {
    const [state] = states;
    if (!state) return 'attribute_not_exists(id) AND attribute_exists(id)';
    Object.assign(values, {
      [`:incarnation${suffix}`]: state.incarnation,
      [`:version${suffix}`]: state.version,
    });
    return `incarnation = :incarnation${suffix} AND version = :version${suffix}`;
  };
  // DynamoDB refuses redundant parentheses.
  if (match) expressions.push(match === 'any' ? 'attribute_exists(id)' : `(${oneOf(match, 'Match')})`);
  if (noneMatch)
    expressions.push(
      noneMatch === 'any' ? 'attribute_not_exists(id)' : `NOT (${oneOf(noneMatch, 'NoneMatch')})`,
    );
  if (unmodifiedSince !== undefined) {
    expressions.push('(attribute_not_exists(id) OR lastModified <= :unmodifiedSince)');
    values[':unmodifiedSince'] = unmodifiedSince;
  }
  return { expressions, values };
}

function preconditionFailed(id: string): PreconditionFailed {
  return new PreconditionFailed(
    `The dog "${id}" does not meet the precondition of the request (If-Match, If-None-Match or If-Unmodified-Since). GET the dog again.`,
  );
}

/**
 * What a dog must still be when a write takes place: the same incarnation, without a change by a client since
 * `settingsVersion`, and without any write since `version`.
 */
export type ExpectedState = Pick<Dog, 'incarnation'> & Partial<Pick<Dog, 'settingsVersion' | 'version'>>;

/** The parts of an update of a dog. A part that is absent leaves its attributes as they are. */
export interface DogUpdate {
  /** The time that `moveLastModified` gives to the write. */
  readonly time: DogTime;
  /** True for a change by a client, which also moves `settingsModified` and `settingsVersion`. */
  readonly isClientChange?: boolean;
  readonly expected?: ExpectedState;
  readonly precondition?: Condition;
  /**
   * What a client sets. Creates the dog if there is none. `change` names the change, and the incarnation of a new dog.
   * Cannot be combined with `expected` or `isCounted`.
   */
  readonly settings?: { readonly values: DogSettings; readonly change: string };
  /** True if `barkCount` grows. */
  readonly isCounted?: boolean;
  /** The schedule that replaces the dog's schedule. */
  readonly schedule?: Schedule;
  /** The `scheduleId` of the schedule that the dog must have, and that must not have ended. */
  readonly runningSchedule?: string;
  /** The `lastOccurrence` that the schedule of the dog must have; `none` if it must have none. */
  readonly lastOccurrenceOfSchedule?: number | 'none';
  /** The occurrence at which the dog barks, in Unix seconds, and the attributes that it moves forward. */
  readonly occurrence?: {
    readonly scheduledAt: number;
    readonly moves: readonly ('lastOccurrence' | 'schedule.lastOccurrence')[];
  };
}

/** Conditions of a write, all of which must be true. */
interface Condition {
  readonly expressions: string[];
  readonly values: Record<string, unknown>;
}

/** What one part of an update adds to the expressions. */
interface UpdatePart {
  readonly set?: readonly string[];
  readonly add?: readonly string[];
  readonly expressions?: readonly string[];
  readonly values?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the action that updates a dog in a transaction. Each update has the time of the write, moves `version`, and
 * takes place only if the dog has no later time.
 */
export function updateDog(id: string, update: DogUpdate): Action {
  return { Update: updateOf(id, update) };
}

/** Returns the action of a transaction that fails if a dog no longer has a state. */
export function checkDog(id: string, expected: ExpectedState): Action {
  const { expressions, values } = expectedPart(expected);
  return {
    ConditionCheck: {
      TableName: environment('DOGS_TABLE'),
      Key: { id },
      ConditionExpression: expressions.join(' AND '),
      ExpressionAttributeValues: values,
    },
  };
}

function updateOf(id: string, update: DogUpdate): NonNullable<Action['Update']> {
  const { expected, precondition, settings, isCounted, occurrence } = update;
  const parts: UpdatePart[] = [
    timePart(update),
    ...(expected ? [expectedPart(expected)] : []),
    ...(precondition ? [precondition] : []),
    ...(settings ? [settingsPart(settings)] : []),
    ...(isCounted === undefined ? [] : [countPart(isCounted)]),
    schedulePart(update),
    ...(occurrence ? [occurrencePart(occurrence)] : []),
  ];
  const set = parts.flatMap((part) => part.set ?? []);
  const add = parts.flatMap((part) => part.add ?? []);
  return {
    TableName: environment('DOGS_TABLE'),
    Key: { id },
    UpdateExpression: `SET ${set.join(', ')} ADD ${add.join(', ')}`,
    ConditionExpression: parts.flatMap((part) => part.expressions ?? []).join(' AND '),
    ExpressionAttributeValues: Object.assign({}, ...parts.map(({ values }) => values)),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

function timePart({ time: { lastModified, latestStored }, isClientChange, settings }: DogUpdate): UpdatePart {
  return {
    set: ['lastModified = :lastModified', ...(isClientChange ? ['settingsModified = :lastModified'] : [])],
    add: ['version :one', ...(isClientChange ? ['settingsVersion :one'] : [])],
    expressions: [
      settings
        ? '(attribute_not_exists(id) OR lastModified <= :latestStored AND settings <> :settings)'
        : 'lastModified <= :latestStored',
    ],
    values: { ':lastModified': lastModified, ':latestStored': latestStored, ':one': 1 },
  };
}

function expectedPart({ incarnation, settingsVersion, version }: ExpectedState): Condition {
  return {
    expressions: [
      'incarnation = :incarnation',
      ...(settingsVersion === undefined ? [] : ['settingsVersion = :settingsVersion']),
      ...(version === undefined ? [] : ['version = :version']),
    ],
    values: {
      ':incarnation': incarnation,
      ...(settingsVersion !== undefined && { ':settingsVersion': settingsVersion }),
      ...(version !== undefined && { ':version': version }),
    },
  };
}

function settingsPart({ values, change }: NonNullable<DogUpdate['settings']>): UpdatePart {
  return {
    set: [
      'settings = :settings',
      'settingsChange = :incarnation',
      'incarnation = if_not_exists(incarnation, :incarnation)',
      'barkCount = if_not_exists(barkCount, :zero)',
    ],
    values: { ':settings': values, ':incarnation': change, ':zero': 0 },
  };
}

function countPart(isCounted: boolean): UpdatePart {
  return { add: ['barkCount :counted'], values: { ':counted': isCounted ? 1 : 0 } };
}

function schedulePart({ schedule, runningSchedule, lastOccurrenceOfSchedule }: DogUpdate): UpdatePart {
  const isRunning = 'schedule.scheduleId = :scheduleId AND attribute_not_exists(schedule.ended)';
  const hasLastOccurrence =
    lastOccurrenceOfSchedule === 'none'
      ? 'attribute_not_exists(schedule.lastOccurrence)'
      : 'schedule.lastOccurrence = :lastOccurrence';
  return {
    set: schedule ? ['schedule = :schedule'] : [],
    expressions: [
      ...(runningSchedule === undefined ? [] : [isRunning]),
      ...(lastOccurrenceOfSchedule === undefined ? [] : [hasLastOccurrence]),
    ],
    values: {
      ...(schedule && { ':schedule': schedule }),
      ...(runningSchedule !== undefined && { ':scheduleId': runningSchedule }),
      ...(typeof lastOccurrenceOfSchedule === 'number' && { ':lastOccurrence': lastOccurrenceOfSchedule }),
    },
  };
}

/** Occurrences may arrive out of order. None of them may move an attribute back. */
function occurrencePart({ scheduledAt, moves }: NonNullable<DogUpdate['occurrence']>): UpdatePart {
  return {
    set: moves.map((path) => `${path} = :scheduledAt`),
    expressions: moves.map((path) => `(attribute_not_exists(${path}) OR ${path} < :scheduledAt)`),
    ...(moves.length > 0 && { values: { ':scheduledAt': scheduledAt } }),
  };
}
