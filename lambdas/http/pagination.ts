import { InvalidCursor } from '../domain/barks/bark.ts';
import { Problem } from './problem.ts';
import type { Request } from './request.ts';

export interface PageRequest {
  readonly limit: number;
  /** Absent for the first page. */
  readonly after?: string;
}

const defaultLimit = 20;
const maxLimit = 100;

/**
 * @throws Problem 400 if `limit` is not a whole number from 1 to 100
 * @throws InvalidCursor if `after` does not match the pattern
 */
export function pageRequestOf(request: Request, cursor: RegExp): PageRequest {
  const limit = request.query('limit') ?? String(defaultLimit);
  if (!/^[1-9][0-9]*$/.test(limit) || Number(limit) > maxLimit)
    throw new Problem(
      'invalid-limit',
      `The query parameter "limit" must be a whole number from 1 to ${maxLimit}.`,
    );
  const after = request.query('after');
  if (after !== undefined && !cursor.test(after)) throw new InvalidCursor();
  return { limit: Number(limit), ...(after !== undefined && { after }) };
}

/**
 * @param url the URL of the list, without a query
 * @see {@link https://www.rfc-editor.org/rfc/rfc8288#section-3 RFC 8288 section 3}
 */
export function nextLink(
  url: string,
  { limit }: PageRequest,
  next: string | undefined,
): Record<string, string> {
  return next === undefined ? {} : { Link: `<${url}?limit=${limit}&after=${next}>; rel="next"` };
}
