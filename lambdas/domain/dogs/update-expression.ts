import type { Dog, DogSettings, Suspension } from './dog.ts';
import type { DogState, Precondition } from './precondition.ts';
import type { Schedule } from './schedule.ts';

/**
 * The state that a dog must still have at the time of a write: the same incarnation, no change by a client since
 * `settingsVersion`, and no write since `version`. A version that is absent is not checked.
 */
export type ExpectedState = Pick<Dog, 'incarnation'> & Partial<Pick<Dog, 'settingsVersion' | 'version'>>;

/** The time that a change stores with a dog, and the latest time that the dog may have before. Both are Unix seconds. */
export interface DogTime {
  readonly lastModified: number;
  readonly latestStored: number;
}

/** A change of a dog and its conditions. A member that is absent changes nothing and requires nothing. */
export interface DogChange {
  /** True for a change by a client, which also updates `settingsModified` and `settingsVersion`. */
  readonly isClientChange?: boolean;
  readonly expected?: ExpectedState;
  readonly precondition?: Condition;
  /**
   * The new settings. The update creates the dog if it does not exist. `change` is the unique name of the change, and becomes the
   * incarnation of a new dog. `mailKey` becomes the mail key of a dog that has none. Cannot be combined with `expected` or
   * `isCounted`.
   */
  readonly settings?: { readonly values: DogSettings; readonly change: string; readonly mailKey: string };
  /** True if the update increases `barkCount`. */
  readonly isCounted?: boolean;
  /** The schedule that replaces the dog's schedule. */
  readonly schedule?: Schedule;
  /** The `scheduleId` of the schedule that the dog must have. That schedule must not have ended. */
  readonly runningSchedule?: string;
  /** The `lastOccurrence` that the schedule of the dog must have; `none` if the schedule must not have one. */
  readonly lastOccurrenceOfSchedule?: number | 'none';
  /** The occurrence at which the dog barks, in Unix seconds, and the attributes that the update sets to that time. */
  readonly occurrence?: {
    readonly scheduledAt: number;
    readonly attributesToAdvance: readonly ('lastOccurrence' | 'schedule.lastOccurrence')[];
  };
  /** The suspensions of addresses that replace those of the dog. */
  readonly suspensions?: readonly Suspension[];
}

/** The condition of a write: expressions that must all be true, and their values. */
export interface Condition {
  readonly expressions: string[];
  readonly values: Record<string, unknown>;
}

/** What one member of a change adds to the update. */
interface Clause {
  readonly set?: readonly string[];
  readonly add?: readonly string[];
  readonly expressions?: readonly string[];
  readonly values?: Readonly<Record<string, unknown>>;
}

/** The clauses of an update. */
export interface Clauses extends Condition {
  readonly set: string[];
  readonly add: string[];
}

/** Returns the clauses of an update: SET, ADD and the condition. */
export function clausesOf(change: DogChange, time: DogTime): Clauses {
  const { expected, precondition, settings, isCounted, occurrence, suspensions } = change;
  const parts: Clause[] = [
    timePart(change, time),
    ...(expected ? [expectedCondition(expected)] : []),
    ...(precondition ? [precondition] : []),
    ...(settings ? [settingsPart(settings)] : []),
    ...(isCounted === undefined ? [] : [countPart(isCounted)]),
    schedulePart(change),
    ...(occurrence ? [occurrencePart(occurrence)] : []),
    ...(suspensions
      ? [{ set: ['suspensions = :suspensions'], values: { ':suspensions': suspensions } }]
      : []),
  ];
  return {
    set: parts.flatMap((part) => part.set ?? []),
    add: parts.flatMap((part) => part.add ?? []),
    expressions: parts.flatMap((part) => part.expressions ?? []),
    values: Object.assign({}, ...parts.map(({ values }) => values)),
  };
}

/** Returns the DynamoDB condition for a precondition. Each list of the precondition must have at most one state. */
export function conditionOf({ match, noneMatch, unmodifiedSince }: Precondition): Condition {
  const expressions: string[] = [];
  const values: Record<string, unknown> = {};
  const oneOf = (states: readonly DogState[], suffix: string) => {
    const [state] = states;
    // An empty list includes no state, so this expression is never true.
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

function timePart({ isClientChange, settings }: DogChange, { lastModified, latestStored }: DogTime): Clause {
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

/** Returns the condition that a dog still has the expected state. */
export function expectedCondition({ incarnation, settingsVersion, version }: ExpectedState): Condition {
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

function settingsPart({ values, change, mailKey }: NonNullable<DogChange['settings']>): Clause {
  return {
    set: [
      'settings = :settings',
      'settingsChange = :incarnation',
      'incarnation = if_not_exists(incarnation, :incarnation)',
      'mailKey = if_not_exists(mailKey, :mailKey)',
      'barkCount = if_not_exists(barkCount, :zero)',
    ],
    values: { ':settings': values, ':incarnation': change, ':mailKey': mailKey, ':zero': 0 },
  };
}

function countPart(isCounted: boolean): Clause {
  return { add: ['barkCount :counted'], values: { ':counted': isCounted ? 1 : 0 } };
}

function schedulePart({ schedule, runningSchedule, lastOccurrenceOfSchedule }: DogChange): Clause {
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

/**
 * Returns the clauses that advance attributes to an occurrence. The update fails if an attribute already has the same or a later
 * time, because occurrences may arrive out of order.
 */
function occurrencePart({ scheduledAt, attributesToAdvance }: NonNullable<DogChange['occurrence']>): Clause {
  return {
    set: attributesToAdvance.map((path) => `${path} = :scheduledAt`),
    expressions: attributesToAdvance.map(
      (path) => `(attribute_not_exists(${path}) OR ${path} < :scheduledAt)`,
    ),
    ...(attributesToAdvance.length > 0 && { values: { ':scheduledAt': scheduledAt } }),
  };
}
