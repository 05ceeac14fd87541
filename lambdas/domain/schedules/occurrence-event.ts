import { dogId } from '../../contract/dog-id.ts';
import { scheduleId } from '../dogs/schedule.ts';
import { isUlid, matches, validEvent } from '../platform/event.ts';
import type { Occurrence } from './eventbridge.ts';

/** The end of the year 9999, in Unix seconds. Later years have more than four digits in ISO 8601. */
const latest = 253_402_300_799;

const isDateTime = matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);

export function occurrenceOf(event: unknown): Occurrence {
  return validEvent<Occurrence>(event, {
    version: (version) => version === 1,
    dog: matches(dogId),
    incarnation: isUlid,
    scheduleId: matches(scheduleId),
    firstScheduledAt: isTime,
    firstInvocationAt: isTime,
    frequency: (frequency) => frequency === null || (isTime(frequency) && frequency !== 0),
    created: isTime,
    scheduledTime: (time) => isDateTime(time) && !Number.isNaN(Date.parse(String(time))),
  });
}

function isTime(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= latest;
}
