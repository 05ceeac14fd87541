import { createHash } from 'node:crypto';
import type { Dog } from '../dogs/dog.ts';
import { sortKey } from '../dogs/keys.ts';
import { checkPrecondition, isConditional, type Precondition } from '../dogs/precondition.ts';
import { applyPatch, type SchedulePatch } from '../dogs/schedule.ts';
import { DateInFuture, ModifiedSince } from '../platform/errors.ts';
import { clockSkewSeconds, type RequestContext, seconds } from '../platform/request-context.ts';
import { applyOnce, type Change, type ScheduleChangeOutcome } from './change.ts';

/** The result of parsing the body of a PATCH: the patch, or an error if the body is invalid. */
export type ParsedPatch = { readonly patch: SchedulePatch } | { readonly error: Error };

export interface PatchRequest {
  /** The user that sent the request. Without a user, only the limits of the dog apply. */
  readonly user?: string | undefined;
  /** The date in If-Unmodified-Since, in Unix seconds. The date, the body and `precondition.match` identify the request. */
  readonly since: number;
  readonly body: Uint8Array;
  readonly precondition: Precondition;
  /** The content of the body. If the request is a repeat, or if the dog does not exist, an error in the content is ignored. */
  readonly content: ParsedPatch;
}

/**
 * Applies a merge patch to a dog's schedule. Safe to call twice: a repeat of the same request changes nothing, however late it
 * arrives. The service also records a patch that changes nothing, so that a repeat of the patch cannot overwrite the change of
 * another client.
 *
 * @throws NotFound if the dog does not exist
 * @throws the error of the content, if the body is invalid and the request is not a repeat
 * @throws ModifiedSince if a client changed the dog after the date
 * @throws DateInFuture if the date is too far in the future and the service cannot have returned it
 * @throws StateMismatch if the dog is not in a state that the precondition allows
 * @throws InvalidSchedule if `next` is out of range, or if it is missing and the dog has no next occurrence
 * @throws LimitReached if the dog would bark now, and the barks or mails of the dog or of the user have reached a limit
 * @throws ScheduleRefused if EventBridge Scheduler does not accept the schedule
 * @throws Unavailable if an AWS service is unavailable: it is then unknown whether the patch was applied
 */
export function patchSchedule(
  dogId: string,
  request: PatchRequest,
  context: RequestContext,
): Promise<ScheduleChangeOutcome> {
  const { user, precondition, content } = request;
  const decide: Change['decide'] = (dog, appliedChange) => {
    if (appliedChange) return 'repeated';
    if ('error' in content) throw content.error;
    checkState(dog, request, context);
    return applyPatch(dog, content.patch, context.now);
  };
  const applied = { sk: sortKey('appliedPatch', digestOf(request)) };
  return applyOnce(dogId, { user, applied, exact: isConditional(precondition), decide }, context);
}

/**
 * Returns the digest that identifies a PATCH. The service does not check the date of a request with `precondition.match`, so the
 * date and the body alone do not identify such a request.
 */
function digestOf({ since, body, precondition }: PatchRequest): string {
  const identity = JSON.stringify([since, precondition.match]);
  return createHash('sha256').update(`${identity}\n`).update(body).digest('base64url');
}

/**
 * Checks that a PATCH applies to the state of the dog. `precondition.match` takes precedence over the date.
 *
 * @throws ModifiedSince if a client changed the dog after the date
 * @throws DateInFuture if the date is too far in the future and the service cannot have returned it
 * @throws StateMismatch if the dog is not in a state that the precondition allows
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-13.1.4 RFC 9110 section 13.1.4}
 */
function checkState(dog: Dog, { since, precondition }: PatchRequest, context: RequestContext): void {
  if (precondition.match === undefined) checkDate(dog, since, context);
  checkPrecondition(precondition, dog);
}

/**
 * Checks the date of a PATCH. The service accepts every `lastModified` that it has returned since the last change by a client,
 * even if the clock that set the time was far ahead.
 *
 * @param since Unix seconds
 * @throws ModifiedSince if a client changed the dog after the date
 * @throws DateInFuture if the date is too far in the future and the service cannot have returned it
 */
function checkDate({ settingsModified, lastModified }: Dog, since: number, context: RequestContext): void {
  const now = seconds(context.now);
  if (settingsModified > since) throw new ModifiedSince({ settingsModified, since });
  if (since > Math.max(lastModified, now + clockSkewSeconds)) throw new DateInFuture({ since, now });
}
