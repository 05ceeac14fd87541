import { barkId } from '../barks/bark.ts';
import { dogId } from '../dogs/dog.ts';
import type { purgeDog } from '../dogs/purge.ts';
import type { Occurrence } from '../schedules/eventbridge.ts';
import { InvalidEvent } from './errors.ts';
import { jsonOf } from './json.ts';
import type { WorkflowInput } from './step-functions.ts';

/** True if a value may stand where it stands in an event. */
type Check = (value: unknown) => boolean;

function matches(pattern: RegExp): Check {
  return (value) => typeof value === 'string' && pattern.test(value);
}

/** The incarnation of a dog, and the scheduleId of a schedule, as they are made. */
const isIncarnation = matches(/^[0-9A-Z]{26}$/);
const isScheduleId = matches(/^[0-9A-Z]{20}$/);

/** The end of the year 9999, beyond which dates are written otherwise, in Unix seconds. */
const latest = 253_402_300_799;

function isTime(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= latest;
}

function isDate(value: unknown): boolean {
  return (
    matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)(value) && !Number.isNaN(Date.parse(String(value)))
  );
}

/**
 * What a job was sent, if its members are what they should be; it may have others. This stands in for a library, which
 * would take each of these functions longer to load than to do its work.
 *
 * @throws InvalidEvent
 */
function checked<Event>(event: unknown, checks: { readonly [Name in keyof Event]-?: Check }): Event {
  const members = Object(event) as Readonly<Record<string, unknown>>;
  const wrong = Object.entries<Check>(checks).filter(([name, isRight]) => !isRight(members[name]));
  if (wrong.length > 0)
    throw new InvalidEvent(
      `The event is not what this function is sent: ${wrong.map(([name]) => name).join(', ')}.`,
    );
  return event as Event;
}

/** @throws InvalidEvent */
export function workflowInputOf(event: unknown): WorkflowInput {
  return checked<WorkflowInput>(event, { dog: matches(dogId), bark: matches(barkId) });
}

/** What an execution was told that has ended, as Step Functions tells EventBridge; undefined for another event. */
export function endedExecutionInput(event: unknown): unknown {
  const { detail } = Object(event) as { readonly detail?: { readonly input?: unknown } };
  return jsonOf(String(detail?.input));
}

/**
 * An occurrence of this version.
 *
 * @throws InvalidEvent
 */
export function occurrenceOf(event: unknown): Occurrence {
  return checked<Occurrence>(event, {
    version: (version) => version === 1,
    dog: matches(dogId),
    incarnation: isIncarnation,
    scheduleId: isScheduleId,
    firstScheduledAt: isTime,
    firstInvocationAt: isTime,
    frequency: (frequency) => frequency === null || (isTime(frequency) && frequency !== 0),
    created: isTime,
    scheduledTime: isDate,
  });
}

type RemovedDog = Parameters<typeof purgeDog>[0];

/**
 * The dogs that were removed, as the stream of their table tells it.
 *
 * @throws InvalidEvent if one of them is none
 */
export function removedDogs(event: unknown): RemovedDog[] {
  const { Records } = checked<{ Records: unknown[] }>(event, {
    Records: (records) => Array.isArray(records) && records.length > 0,
  });
  return Records.map(removedDog);
}

/** A value in the words of DynamoDB. */
interface Attribute {
  readonly S?: unknown;
  readonly M?: Readonly<Record<string, Attribute | undefined>>;
}

function removedDog(record: unknown): RemovedDog {
  const { dynamodb } = Object(record) as { readonly dynamodb?: { readonly OldImage?: Attribute['M'] } };
  const { id, incarnation, schedule } = dynamodb?.OldImage ?? {};
  const members = { id: id?.S, incarnation: incarnation?.S, scheduleId: schedule?.M?.scheduleId?.S };
  const dog = checked<{ id: string; incarnation: string; scheduleId: string }>(members, {
    id: matches(dogId),
    incarnation: isIncarnation,
    scheduleId: (scheduleId) => schedule === undefined || isScheduleId(scheduleId),
  });
  return {
    id: dog.id,
    incarnation: dog.incarnation,
    ...(schedule && { schedule: { scheduleId: dog.scheduleId } }),
  };
}
