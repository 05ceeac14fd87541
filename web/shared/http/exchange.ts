import type { Problem } from '../../../client/index.ts';
import { dateAndTime } from '../time.ts';
import type { Request } from './requests.ts';

export interface ServiceResponse {
  readonly status: number;
  /** The header fields that the browser exposes to the page, sorted, with names in lowercase letters. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** The path of the last request, if the browser followed a redirect. */
  readonly followedTo?: string;
}

export interface Exchange {
  readonly request: Request;
  /** Absent if the page received no response. */
  readonly response?: ServiceResponse;
  /** When the page sent the request, in Unix milliseconds. */
  readonly startedAt: number;
  /** The time until the page received the whole response or the request failed. */
  readonly durationMs: number;
}

export function headerOf({ response }: Exchange, name: string): string | undefined {
  return response?.headers.find(([known]) => known === name)?.[1];
}

/** Parses a response's JSON, without checking that it has the type that the caller states. */
export function documentOf<Document>({ response }: Exchange): Document {
  return JSON.parse(response?.body ?? '') as Document;
}

/**
 * Returns the reason for a failure, from the service's problem document if there is one. After a 429, the reason also says when
 * the user can try again.
 */
export function problemOf(exchange: Exchange): Pick<Problem, 'detail' | 'errors'> {
  const { response } = exchange;
  if (!response) return { detail: noResponse };
  try {
    const { detail, errors } = documentOf<Partial<Problem>>(exchange);
    if (detail) return { detail: detail + nextAttemptOf(exchange), ...(errors && { errors }) };
  } catch {
    // A server between the page and the service may respond without a document.
  }
  return { detail: `The service responded with ${response.status} and gave no reason.` };
}

/** For a 429 with Retry-After, returns a sentence that begins with a space. Otherwise, returns an empty string. */
function nextAttemptOf(exchange: Exchange): string {
  const { response, startedAt, durationMs } = exchange;
  const retryAfter = headerOf(exchange, 'retry-after');
  if (response?.status !== 429 || retryAfter === undefined) return '';
  return ` You can try again at ${dateAndTime((startedAt + durationMs) / 1000 + Number(retryAfter))}.`;
}

export const noResponse =
  'The service does not respond. Check that it is running, and that this device is online.';
