import { InvalidCursor } from '../domain/platform/errors.ts';
import { Problem } from './problem.ts';
import type { Request } from './request.ts';

export interface Page {
  readonly limit: number;
  readonly after?: string;
}

const usualLimit = 20;
const largestLimit = 100;

/**
 * The page that `limit` and `after` ask for.
 *
 * @param cursor what `after` must look like
 * @throws Problem 400 if `limit` is invalid
 * @throws InvalidCursor if `after` does not look like a cursor
 */
export function pageOf(request: Request, cursor: RegExp): Page {
  const limit = request.query('limit') ?? String(usualLimit);
  if (!/^[1-9][0-9]*$/.test(limit))
    throw new Problem(400, 'The parameter limit must be a whole number from 1 to 100.');
  const after = request.query('after');
  if (after !== undefined && !cursor.test(after)) throw new InvalidCursor();
  return { limit: Math.min(Number(limit), largestLimit), ...(after !== undefined && { after }) };
}

/** The header that leads to the next page (RFC 8288), if there is one. */
export function nextLink(url: string, { limit }: Page, next: string | undefined): Record<string, string> {
  return next === undefined ? {} : { Link: `<${url}?limit=${limit}&after=${next}>; rel="next"` };
}
