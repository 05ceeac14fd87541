import type { Bark, BarkOutcome } from '../../domain/barks/bark.ts';
import { awaitBark } from '../../domain/waiting/read-bark.ts';
import { awaitOutcome, waitTimer } from '../../domain/waiting/wait.ts';
import type { Response } from '../../http/endpoint.ts';
import { preferenceApplied } from '../../http/prefer.ts';
import type { Request } from '../../http/request.ts';
import { notPerformed, waitSeconds } from '../../http/waiting.ts';

export interface Wait {
  /** For the header `Preference-Applied`. */
  readonly preference: string | false;
  /** The time left to wait, which may be negative. */
  leftMs(): number;
}

/** Must be called at the beginning of the request. */
export function beginWait(request: Request): Wait {
  const seconds = waitSeconds(request);
  return { preference: seconds > 0 && `wait=${seconds}`, leftMs: waitTimer(seconds, request.timeLeftMs) };
}

/**
 * Waits for an accepted bark.
 *
 * @param responseTo returns the response to a bark that is complete
 * @returns the response; undefined if the bark is still pending
 */
export async function responseAfterWait(
  { context, baseUrl }: Request,
  wait: Wait,
  bark: Bark,
  responseTo: (outcome: Exclude<BarkOutcome, { kind: 'accepted' }>) => Response,
): Promise<Response | undefined> {
  const outcome = await awaitOutcome(bark, wait.leftMs(), context);
  if (!outcome) return undefined;
  return outcome.kind === 'notPerformed' ? notPerformed(outcome.bark, baseUrl) : responseTo(outcome);
}

/**
 * Waits for a bark that is pending. If the time runs out or a later read fails, the response is to the bark as first read.
 *
 * @throws NotFound if the dog or the bark is deleted during the wait
 */
export async function readAfterWait(
  { context }: Request,
  wait: Wait,
  bark: Bark,
  responseTo: (bark: Bark) => Response,
): Promise<Response> {
  const settled = await awaitBark(bark, wait.leftMs(), context);
  return withHeaders(preferenceApplied(wait.preference), responseTo(settled ?? bark));
}

/** Adds header fields before those of a response. */
export function withHeaders(headers: Response['headers'], response: Response): Response {
  return { ...response, headers: { ...headers, ...response.headers } };
}
