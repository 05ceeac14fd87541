import { createHash } from 'node:crypto';
import { aheadRule, maxAheadSeconds, pastToleranceSeconds } from '../../contract/bark-schedule.ts';
import { sortKey } from '../barks/keys.ts';
import type { Dog } from '../dogs/dog.ts';
import { checkPrecondition, type Precondition } from '../dogs/precondition.ts';
import { isLive, type Schedule, upcomingBarks } from '../dogs/schedule.ts';
import { clockSkewSeconds, seconds } from '../platform/request-context.ts';
import type { AppliedChange } from './applied-change.ts';

export class ModifiedSince extends Error {
  override readonly name = 'ModifiedSince';
  /** In Unix seconds. */
  readonly settingsModified: number;

  constructor(settingsModified: number) {
    super('A client changed the dog after the date of the request.');
    this.settingsModified = settingsModified;
  }
}

/** The date in If-Unmodified-Since is in the future, and the service cannot have returned it. */
export class DateInFuture extends Error {
  override readonly name = 'DateInFuture';
  /** The service's time, in Unix seconds. */
  readonly now: number;

  constructor(now: number) {
    super('The date of the request is in the future.');
    this.now = now;
  }
}

/** Nothing was changed. */
export class InvalidSchedule extends Error {
  override readonly name = 'InvalidSchedule';
  readonly field: 'next' | 'frequency';

  constructor(field: InvalidSchedule['field'], message: string) {
    super(message);
    this.field = field;
  }
}

export class TokenReused extends Error {
  override readonly name = 'TokenReused';
  readonly field = 'token';

  constructor() {
    super('was already used with a different next or frequency; use a new token for a new schedule');
  }
}

/**
 * `repeated`: the same request was applied before. `unchanged`: nothing changes, but the request is stored so that a repeat
 * cannot overwrite another client's change.
 */
export type Decision = NewSchedule | 'end' | 'repeated' | 'unchanged';

/** `lastOccurrence` is `start` if the dog barks now, or if its current schedule has already made it bark at `start`. */
export interface NewSchedule extends Pick<Schedule, 'start' | 'frequency' | 'lastOccurrence'> {
  /** True if the dog barks now, in the transaction that sets the schedule. */
  readonly atOnce: boolean;
}

/** `null` ends the schedule. An absent member changes nothing. */
export type SchedulePatch =
  | { readonly next?: number | undefined; readonly frequency?: number | null | undefined }
  | null
  | undefined;

export type ParsedPatch = { readonly patch: SchedulePatch } | { readonly error: Error };

export interface PatchRequest {
  readonly user?: string | undefined;
  /** The date in If-Unmodified-Since, in Unix seconds. */
  readonly since: number;
  readonly body: Uint8Array;
  readonly precondition: Precondition;
  /** An error in the content is thrown only if the dog exists and the request is not a repeat. */
  readonly content: ParsedPatch;
}

export type BarkScheduleDocument = {
  readonly token: number;
  readonly next: number;
  readonly frequency: number | null;
};

/** The precondition applies to the schedule. */
export interface PostRequest extends BarkScheduleDocument {
  readonly user?: string | undefined;
  readonly precondition?: Precondition | undefined;
}

/** With `precondition.match`, the date is not checked, so the date and the body alone do not identify the request. */
export function appliedPatch({ since, body, precondition }: PatchRequest): Pick<AppliedChange, 'sk'> {
  const identity = JSON.stringify([since, precondition.match]);
  const digest = createHash('sha256').update(`${identity}\n`).update(body).digest('base64url');
  return { sk: sortKey('appliedPatch', digest) };
}

export function appliedPost({
  token,
  next,
  frequency,
}: PostRequest): Pick<AppliedChange, 'sk'> & Pick<BarkScheduleDocument, 'next' | 'frequency'> {
  // The key contains the parsed token, so 1, 1.0 and 1e0 give the same key, as do 0 and -0.
  return { sk: sortKey('appliedPost', token), next, frequency: frequency || null };
}

/**
 * `precondition.match` takes precedence over the date; see
 * {@link https://www.rfc-editor.org/rfc/rfc9110#section-13.1.4 RFC 9110 section 13.1.4}.
 *
 * @param applied the applied change of the same request to the same incarnation of the dog
 * @param now milliseconds since 1970, as in all functions in this file
 * @throws the error in the content, if the body is invalid
 * @throws ModifiedSince if a client changed the dog after the date
 * @throws DateInFuture if the date is too far in the future and the service cannot have returned it
 * @throws StateMismatch if the dog is not in a state that the precondition allows
 * @throws InvalidSchedule if `next` is out of range, or if it is missing and the dog has no next occurrence
 */
export function decidePatch(
  dog: Dog,
  { since, precondition, content }: PatchRequest,
  applied: AppliedChange | undefined,
  now: number,
): Decision {
  if (applied) return 'repeated';
  if ('error' in content) throw content.error;
  if (precondition.match === undefined) checkDate(dog, since, now);
  checkPrecondition(precondition, dog);
  return applyPatch(dog, content.patch, now);
}

/**
 * @param applied the applied change of the same token to the same incarnation of the dog
 * @throws StateMismatch if the schedule does not meet the precondition
 * @throws TokenReused if the token was sent before with different content
 * @throws InvalidSchedule if `next` is out of range
 */
export function decidePost(
  dog: Dog,
  request: PostRequest,
  applied: AppliedChange | undefined,
  now: number,
): Decision {
  const { next, frequency } = appliedPost(request);
  if (!applied) {
    checkPrecondition(request.precondition ?? {}, dog, dog.schedule !== undefined);
    return newSchedule(dog, { next, frequency }, now);
  }
  if (applied.next === next && applied.frequency === frequency) return 'repeated';
  throw new TokenReused();
}

/** Accepts every `lastModified` returned since a client's last change, even if the clock that set it was far ahead. */
function checkDate({ settingsModified, lastModified }: Dog, since: number, now: number): void {
  const at = seconds(now);
  if (settingsModified > since) throw new ModifiedSince(settingsModified);
  if (since > Math.max(lastModified, at + clockSkewSeconds)) throw new DateInFuture(at);
}

export function applyPatch(
  dog: Pick<Dog, 'schedule'>,
  patch: SchedulePatch,
  now: number,
): Exclude<Decision, 'repeated'> {
  if (patch === null) return isLive(dog) ? 'end' : 'unchanged';
  if (patch?.next === undefined && patch?.frequency === undefined) return 'unchanged';
  const { next: current, frequency: kept } = upcomingBarks(dog, now);
  const frequency = patch.frequency === undefined ? kept : patch.frequency || null;
  const next = patch.next ?? current;
  if (next === null) throw new InvalidSchedule('next', 'is required, because no bark is scheduled');
  if ((next === current || hasJustBarkedAt(dog, next, now)) && frequency === kept) return 'unchanged';
  // If the client did not send `next`, a next occurrence in the past is not an error: the dog barks now.
  const isDue = patch.next === undefined && next <= seconds(now);
  return newSchedule(dog, { next: isDue ? 0 : next, frequency }, now);
}

/** True if the dog last barked on its schedule at this time, and a client may still request the time. */
function hasJustBarkedAt({ schedule }: Pick<Dog, 'schedule'>, time: number, now: number): boolean {
  return schedule?.lastOccurrence === time && time >= seconds(now) - pastToleranceSeconds;
}

/** `next` is in Unix seconds, or 0 for now. */
export function newSchedule(
  dog: Pick<Dog, 'schedule'>,
  { next, frequency }: Pick<BarkScheduleDocument, 'next' | 'frequency'>,
  now: number,
): NewSchedule {
  const at = seconds(now);
  // The dog must not bark a second time for the same occurrence.
  if (hasJustBarkedAt(dog, next, now)) return { start: next, frequency, lastOccurrence: next, atOnce: false };
  if (next > at) {
    if (next > at + maxAheadSeconds) throw new InvalidSchedule('next', tooFar(next, at));
    return { start: next, frequency, atOnce: false };
  }
  if (next !== 0 && next < at - pastToleranceSeconds)
    throw new InvalidSchedule(
      'next',
      `must be at most ${pastToleranceSeconds} seconds in the past, but is ${dateOf(next)}; the service's clock shows ${dateOf(at)}; send 0 to mean now`,
    );
  return { start: at, frequency, lastOccurrence: at, atOnce: true };
}

function tooFar(next: number, at: number): string {
  const inMilliseconds = Math.abs(next / 1000 - at) <= maxAheadSeconds;
  return `${aheadRule}${inMilliseconds ? '; send seconds, not milliseconds' : ''}`;
}

function dateOf(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toUTCString();
}
