import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import type { Action, Item, Part, Verdict } from '../platform/commit.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { type Dog, type DogSettings, newMailKey, type Suspension } from './dog.ts';
import type { Schedule } from './schedule.ts';

/** The state that a dog must still have at the time of a write. An absent version is not checked. */
export type ExpectedState = Pick<Dog, 'incarnation'> & Partial<Pick<Dog, 'settingsVersion' | 'version'>>;

/** In Unix seconds: the time that a change stores with a dog, and the latest stored time that it may replace. */
interface DogTime {
  readonly lastModified: number;
  readonly latestStored: number;
}

/** An absent member changes nothing and requires nothing. */
export interface DogChange {
  /** True for a change by a client, which also updates `settingsModified` and `settingsVersion`. */
  readonly isClientChange?: boolean;
  readonly expected?: ExpectedState;
  readonly precondition?: Condition;
  /**
   * Creates the dog if it does not exist. `change` is the unique name of the change, and becomes the incarnation of a new dog.
   * Cannot be combined with `expected` or `isCounted`.
   */
  readonly settings?: { readonly values: DogSettings; readonly change: string };
  readonly isCounted?: boolean;
  readonly schedule?: Schedule;
  /** The `scheduleId` of the schedule that the dog must have, and that must not have ended. */
  readonly runningSchedule?: string;
  /** The `lastOccurrence` that the dog's schedule must have. */
  readonly lastOccurrenceOfSchedule?: number | 'none';
  /** The occurrence at which the dog barks, in Unix seconds, and the attributes that the update sets to that time. */
  readonly occurrence?: {
    readonly scheduledAt: number;
    readonly attributesToAdvance: readonly ('lastOccurrence' | 'schedule.lastOccurrence')[];
  };
  readonly suspensions?: readonly Suspension[];
}

/** Expressions that must all be true, and their values. */
export interface Condition {
  readonly expressions: string[];
  readonly values: Record<string, unknown>;
}

interface Clauses extends Condition {
  readonly set: string[];
  readonly add: string[];
}

/** How the caller judges a change whose conditions failed for a reason other than the dog's time. */
interface Judgement<Refusal> {
  readonly judge: (stored: Dog | undefined) => Verdict<Refusal>;
  /** Recognizes an earlier attempt from the stored dog. If absent, the change can only be written in a transaction. */
  readonly isOwn?: (stored: Dog) => boolean;
}

/**
 * Every change sets `lastModified` and increments `version`.
 *
 * Clients detect changes by `lastModified`. If the stored time is later than a change's own, because another clock was ahead, the
 * change therefore fails, and is written again with the stored time plus one second. A stored time that is at most five seconds
 * ahead (one second for a client's change) is kept, because frequent changes could otherwise advance it faster than the clock.
 */
export function changeDog<Refusal>(
  id: string,
  change: DogChange,
  judgement: Judgement<Refusal>,
  context: RequestContext,
): Part<Refusal> {
  const now = seconds(context.now);
  return partAt(id, change, judgement, now, { lastModified: now, latestStored: now });
}

function partAt<Refusal>(
  id: string,
  change: DogChange,
  judgement: Judgement<Refusal>,
  now: number,
  time: DogTime,
): Part<Refusal> {
  const { judge, isOwn } = judgement;
  const { set, add, expressions, values } = clausesOf(change, time);
  const update = {
    TableName: environment('DOGS_TABLE'),
    Key: { id },
    UpdateExpression: `SET ${set.join(', ')} ADD ${add.join(', ')}`,
    ConditionExpression: expressions.join(' AND '),
    ExpressionAttributeValues: values,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  return {
    actions: [{ Update: update }],
    ...(isOwn && {
      single: {
        command: new UpdateCommand({ ...update, ReturnValues: 'ALL_NEW' }),
        isOwn: (stored) => stored !== undefined && isOwn(dogOf(stored)),
      },
    }),
    judge: ([failure]) => {
      const stored = failure?.item && dogOf(failure.item);
      const latestStored = stored?.lastModified ?? 0;
      if (latestStored <= time.latestStored) return judge(stored);
      const isAhead = latestStored > now + (change.isClientChange ? 1 : 5);
      const lastModified = isAhead ? latestStored + 1 : latestStored;
      return { again: partAt(id, change, judgement, now, { lastModified, latestStored }) };
    },
  };
}

function dogOf(item: Item): Dog {
  return item as unknown as Dog;
}

export function checkDog(id: string, expected: ExpectedState): Part<'changed'> {
  const { expressions, values } = expectedCondition(expected);
  const check: Action['ConditionCheck'] = {
    TableName: environment('DOGS_TABLE'),
    Key: { id },
    ConditionExpression: expressions.join(' AND '),
    ExpressionAttributeValues: values,
  };
  return { actions: [{ ConditionCheck: check }], judge: () => ({ refusal: 'changed' }) };
}

function clausesOf(change: DogChange, { lastModified, latestStored }: DogTime): Clauses {
  const { expected, precondition, settings, isCounted, schedule, suspensions } = change;
  const { runningSchedule, lastOccurrenceOfSchedule } = change;
  const { scheduledAt, attributesToAdvance = [] } = change.occurrence ?? {};
  const set = ['lastModified = :lastModified'];
  const add = ['version :one'];
  const expressions = [
    settings
      ? '(attribute_not_exists(id) OR lastModified <= :latestStored AND settings <> :settings)'
      : 'lastModified <= :latestStored',
  ];
  // DynamoDB refuses a value that no clause uses.
  const values: Condition['values'] = {
    ':lastModified': lastModified,
    ':latestStored': latestStored,
    ':one': 1,
  };
  if (change.isClientChange) {
    set.push('settingsModified = :lastModified');
    add.push('settingsVersion :one');
  }
  for (const condition of [expected && expectedCondition(expected), precondition]) {
    expressions.push(...(condition?.expressions ?? []));
    Object.assign(values, condition?.values);
  }
  if (settings) {
    set.push(
      'settings = :settings',
      'settingsChange = :incarnation',
      'incarnation = if_not_exists(incarnation, :incarnation)',
      'mailKey = if_not_exists(mailKey, :mailKey)',
      'barkCount = if_not_exists(barkCount, :zero)',
    );
    values[':settings'] = settings.values;
    values[':incarnation'] = settings.change;
    values[':mailKey'] = newMailKey();
    values[':zero'] = 0;
  }
  if (isCounted !== undefined) {
    add.push('barkCount :counted');
    values[':counted'] = isCounted ? 1 : 0;
  }
  if (schedule) {
    set.push('schedule = :schedule');
    values[':schedule'] = schedule;
  }
  if (runningSchedule !== undefined) {
    expressions.push('schedule.scheduleId = :scheduleId AND attribute_not_exists(schedule.ended)');
    values[':scheduleId'] = runningSchedule;
  }
  if (lastOccurrenceOfSchedule === 'none') {
    expressions.push('attribute_not_exists(schedule.lastOccurrence)');
  } else if (lastOccurrenceOfSchedule !== undefined) {
    expressions.push('schedule.lastOccurrence = :lastOccurrence');
    values[':lastOccurrence'] = lastOccurrenceOfSchedule;
  }
  for (const path of attributesToAdvance) {
    set.push(`${path} = :scheduledAt`);
    // Occurrences may arrive out of order.
    expressions.push(`(attribute_not_exists(${path}) OR ${path} < :scheduledAt)`);
    values[':scheduledAt'] = scheduledAt;
  }
  if (suspensions) {
    set.push('suspensions = :suspensions');
    values[':suspensions'] = suspensions;
  }
  return { set, add, expressions, values };
}

function expectedCondition({ incarnation, settingsVersion, version }: ExpectedState): Condition {
  const expected = Object.entries({ incarnation, settingsVersion, version }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    expressions: expected.map(([name]) => `${name} = :${name}`),
    values: Object.fromEntries(expected.map(([name, value]) => [`:${name}`, value])),
  };
}
