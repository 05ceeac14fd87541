import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { type Condition, equal, type Part } from '../platform/commit.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { type Dog, type DogSettings, isCounted, newMailKey, type Suspension } from './dog.ts';
import type { Schedule } from './schedule.ts';

/**
 * A transition of a dog. It starts from the dog that was read, and refuses with the dog that is stored instead, or with undefined
 * if the dog was deleted.
 */
type DogPart = Part<Dog | undefined>;

export type ScheduledDog = Dog & Required<Pick<Dog, 'schedule'>>;

/**
 * From where a refused bark starts again: the stored dog, but with the settings from which the bark began. Returns undefined if
 * the dog was deleted.
 */
export function changedSince(dog: Dog, stored: Dog | undefined): Dog | undefined {
  return stored?.incarnation === dog.incarnation ? { ...stored, settings: dog.settings } : undefined;
}

/** Even a bark that is not counted changes the dog for its clients. */
export function countBark(dog: Dog, counted: boolean, context: RequestContext): DogPart {
  return partOf(dog, [expected(dog), count(counted)], {}, context);
}

/**
 * The dog must still have the schedule. It may already have barked at a later occurrence, because occurrences can arrive out of
 * order. If a clock was ahead when an earlier schedule was set, only the dog's `lastOccurrence` may be later than this occurrence.
 */
export function countOccurrence(dog: ScheduledDog, scheduledAt: number, context: RequestContext): DogPart {
  const { schedule, settings } = dog;
  const isRunning: Clauses = {
    condition: 'schedule.scheduleId = :scheduleId AND attribute_not_exists(schedule.ended)',
    values: { ':scheduleId': schedule.scheduleId },
  };
  const clauses = [
    expected(dog),
    isRunning,
    count(isCounted(settings.barkEffects)),
    ...advance('schedule.lastOccurrence', schedule.lastOccurrence, scheduledAt),
    ...advance('lastOccurrence', dog.lastOccurrence, scheduledAt),
  ];
  return partOf(dog, clauses, {}, context);
}

/**
 * A client replaces or ends the dog's schedule. The dog's settings and its schedule's last occurrence must be as they were read. If
 * the dog has barked on the old schedule in the meantime, the decision must be made again, because the new one might repeat that bark.
 *
 * @param exact true if nothing else, not even a bark, may have changed the dog
 * @param barksAt when the dog barks as part of this change, in Unix seconds
 */
export function setSchedule(
  dog: Dog,
  schedule: Schedule,
  { exact, barksAt }: { readonly exact: boolean; readonly barksAt?: number | undefined },
  context: RequestContext,
): DogPart {
  const last = dog.schedule?.lastOccurrence;
  const clauses = [
    expectedByClient(dog, exact),
    last === undefined
      ? { condition: 'attribute_not_exists(schedule.lastOccurrence)', values: {} }
      : { condition: 'schedule.lastOccurrence = :last', values: { ':last': last } },
    { set: 'schedule = :schedule', values: { ':schedule': schedule } },
    count(barksAt !== undefined && isCounted(dog.settings.barkEffects)),
    ...(barksAt === undefined ? [] : advance('lastOccurrence', dog.lastOccurrence, barksAt)),
    byClient,
  ];
  // The ID is unique, but a schedule that ends keeps it.
  const isOwn = ({ incarnation, schedule: stored }: Dog) =>
    incarnation === dog.incarnation &&
    stored?.scheduleId === schedule.scheduleId &&
    stored.ended === schedule.ended;
  return partOf(dog, clauses, { isOwn, toleranceSeconds: 1 }, context);
}

/** Requires the same as `setSchedule`, but changes nothing. */
export function checkDog(dog: Dog, exact: boolean): Part<'changed'> {
  const { condition, values } = expectedByClient(dog, exact);
  const check = {
    TableName: environment('DOGS_TABLE'),
    Key: { id: dog.id },
    ConditionExpression: condition,
    ExpressionAttributeValues: values,
  };
  return { actions: [{ ConditionCheck: check }], judge: () => ({ refusal: 'changed' }) };
}

/** Nothing else may have changed the dog. If an earlier attempt succeeded, the next read shows it. */
export function setSuspensions(dog: Dog, suspensions: Suspension[], context: RequestContext): DogPart {
  const { incarnation, version } = dog;
  const set = { set: 'suspensions = :suspensions', values: { ':suspensions': suspensions } };
  return partOf(dog, [clausesOf(equal({ incarnation, version })), set], { isOwn: () => false }, context);
}

/**
 * Creates the dog if it does not exist. Fails if the dog already has the settings. Returns the written dog.
 *
 * @param change the unique name of the change, which becomes the incarnation of a new dog
 * @param latest the latest `lastModified` that an earlier attempt found
 */
export function setSettings(
  { id, settings, change, latest }: { id: string; settings: DogSettings; change: string; latest: number },
  conditions: readonly Condition[],
  context: RequestContext,
): NonNullable<DogPart['single']> {
  const time = timeAfter(latest, 1, context);
  const put = {
    set: [
      'settings = :settings',
      'settingsChange = :incarnation',
      'incarnation = if_not_exists(incarnation, :incarnation)',
      'mailKey = if_not_exists(mailKey, :mailKey)',
      'barkCount = if_not_exists(barkCount, :zero)',
    ].join(', '),
    condition: '(attribute_not_exists(id) OR lastModified <= :latestStored AND settings <> :settings)',
    values: { ':settings': settings, ':incarnation': change, ':mailKey': newMailKey(), ':zero': 0 },
  };
  const update = dogUpdate(id, time, [put, ...conditions.map(clausesOf), byClient]);
  return {
    command: new UpdateCommand({ ...update, ReturnValues: 'ALL_NEW' }),
    isOwn: (stored) => stored?.settingsChange === change,
  };
}

/** A part of an update. Absent members add nothing. */
interface Clauses {
  readonly set?: string;
  readonly add?: string;
  readonly condition?: string;
  readonly values: Condition['values'];
}

function clausesOf({ expression, values }: Condition): Clauses & { readonly condition: string } {
  return { condition: expression, values };
}

function expected({ incarnation }: Dog): Clauses {
  return clausesOf(equal({ incarnation }));
}

function expectedByClient({ incarnation, settingsVersion, version }: Dog, exact: boolean) {
  return clausesOf(equal({ incarnation, settingsVersion, ...(exact && { version }) }));
}

const byClient = { set: 'settingsModified = :lastModified', add: 'settingsVersion :one', values: {} };

function count(counted: boolean): Clauses {
  return { add: 'barkCount :counted', values: { ':counted': counted ? 1 : 0 } };
}

/** Occurrences may arrive out of order. */
function advance(path: string, from: number | undefined, to: number): Clauses[] {
  if (to <= (from ?? 0)) return [];
  const condition = `(attribute_not_exists(${path}) OR ${path} < :to)`;
  return [{ set: `${path} = :to`, condition, values: { ':to': to } }];
}

/** In Unix seconds: the time that a change stores with a dog, and the latest stored time that it may replace. */
interface DogTime {
  readonly lastModified: number;
  readonly latestStored: number;
}

/**
 * Clients detect changes by `lastModified`, so it must increase, even if the clock that set it was ahead. A stored time that is
 * ahead by no more than the tolerance is kept, because frequent changes could otherwise advance it faster than the clock.
 */
function timeAfter(stored: number, toleranceSeconds: 1 | 5, context: RequestContext): DogTime {
  const now = seconds(context.now);
  const latestStored = Math.max(now, stored);
  return { lastModified: stored > now + toleranceSeconds ? stored + 1 : latestStored, latestStored };
}

/** Every change sets `lastModified` and increments `version`. */
function dogUpdate(id: string, { lastModified, latestStored }: DogTime, clauses: readonly Clauses[]) {
  const all = <Name extends keyof Clauses>(name: Name) => clauses.flatMap((one) => one[name] ?? []);
  return {
    TableName: environment('DOGS_TABLE'),
    Key: { id },
    UpdateExpression: `SET ${['lastModified = :lastModified', ...all('set')].join(', ')} ADD ${['version :one', ...all('add')].join(', ')}`,
    ConditionExpression: all('condition').join(' AND '),
    ExpressionAttributeValues: Object.assign(
      { ':lastModified': lastModified, ':latestStored': latestStored, ':one': 1 },
      ...all('values'),
    ) as Record<string, unknown>,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
}

/** @param isOwn recognizes an earlier attempt from the stored dog. If absent, the change can only be written in a transaction */
function partOf(
  dog: Dog,
  clauses: readonly Clauses[],
  { isOwn, toleranceSeconds = 5 }: { isOwn?: (stored: Dog) => boolean; toleranceSeconds?: 1 | 5 },
  context: RequestContext,
): DogPart {
  const isCurrent = { condition: 'lastModified <= :latestStored', values: {} };
  const time = timeAfter(dog.lastModified, toleranceSeconds, context);
  const update = dogUpdate(dog.id, time, [isCurrent, ...clauses]);
  return {
    actions: [{ Update: update }],
    ...(isOwn && {
      single: {
        command: new UpdateCommand(update),
        isOwn: (stored) => stored !== undefined && isOwn(stored as unknown as Dog),
      },
    }),
    judge: ([failure]) => ({ refusal: failure?.item as unknown as Dog | undefined }),
  };
}
