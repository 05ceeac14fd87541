import { timeOfLocal } from '../../shared/time-zone.ts';
import type { ErrorsByField } from '../form-errors.ts';

export interface ScheduleFields {
  /** `B` patches the dog, and `C` posts a bark-schedule. */
  readonly variant: 'B' | 'C';
  readonly first: 'now' | 'time';
  /** A local time in the format of a `datetime-local` control. */
  readonly time: string;
  readonly repeat: 'every' | 'once';
  readonly minutes: string;
  readonly token: string;
}

/** The members of the schedule for which the user can enter an invalid value. */
export type EnteredField = 'frequency' | 'next' | 'token';

/** `next` is in Unix seconds (0 means now), and `frequency` is in minutes (0 means once). */
export interface ScheduleInput {
  readonly next?: number;
  readonly frequency?: number;
  readonly token?: number;
}

/** How far in the past the service allows the first bark to be. */
const pastToleranceSeconds = 60;
const tenYearsSeconds = 10 * 365 * 24 * 60 * 60;
const yearMinutes = 525_600;

export function fieldsShown({ first, repeat, variant }: ScheduleFields): EnteredField[] {
  return [
    ...(first === 'time' ? (['next'] as const) : []),
    ...(repeat === 'every' ? (['frequency'] as const) : []),
    ...(variant === 'C' ? (['token'] as const) : []),
  ];
}

/** Parses the form's values, but does not check their range. Leaves out a value that is not a time or number. */
export function inputIn(fields: ScheduleFields, timeZone: string): ScheduleInput {
  const next = fields.first === 'now' ? 0 : timeIn(fields.time, timeZone);
  const frequency = fields.repeat === 'once' ? 0 : numberIn(fields.minutes);
  const token = fields.variant === 'C' ? numberIn(fields.token) : undefined;
  return {
    ...(next !== undefined && { next }),
    ...(frequency !== undefined && { frequency }),
    ...(token !== undefined && { token }),
  };
}

/** Returns a sentence for each invalid member. @param now Unix seconds */
export function errorsIn(fields: ScheduleFields, timeZone: string, now: number): ErrorsByField<EnteredField> {
  const checks = {
    next: () => timeError(timeIn(fields.time, timeZone), now),
    frequency: () => minutesError(numberIn(fields.minutes)),
    token: () => tokenError(numberIn(fields.token)),
  };
  return Object.fromEntries(
    fieldsShown(fields).flatMap((field) => {
      const error = checks[field]();
      return error === undefined ? [] : [[field, error]];
    }),
  );
}

function timeError(at: number | undefined, now: number): string | undefined {
  if (at === undefined) return 'Enter a date and a time.';
  if (at < now - pastToleranceSeconds) return 'The time is in the past. Choose a later time.';
  if (at > now + tenYearsSeconds) return 'The time is too far ahead. Choose a time in the next ten years.';
  return;
}

function minutesError(minutes: number | undefined): string | undefined {
  if (minutes === undefined || !Number.isInteger(minutes) || minutes < 1)
    return 'Enter a whole number of minutes, at least 1.';
  return minutes > yearMinutes ? 'Enter at most 525,600 minutes, which is a year.' : undefined;
}

function tokenError(token: number | undefined): string | undefined {
  if (token === undefined) return 'Enter a number.';
  const isExact = !Number.isInteger(token) || Number.isSafeInteger(token);
  return isExact ? undefined : `Enter a number of at most ${Number.MAX_SAFE_INTEGER}.`;
}

/** Returns Unix seconds, or undefined if the text is not a time. */
function timeIn(text: string, timeZone: string): number | undefined {
  const local = Date.parse(`${text}Z`);
  return Number.isNaN(local) ? undefined : timeOfLocal(Math.floor(local / 1000), timeZone);
}

function numberIn(text: string): number | undefined {
  const number = Number(text.trim());
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number;
}
