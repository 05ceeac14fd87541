import Negotiator from 'negotiator';
import type { Response } from './endpoint.ts';
import type { Request } from './request.ts';

/** The time that a client should wait before it reads an accepted bark, in seconds. */
const retryAfterSeconds = 1;

const token = "[!#$%&'*+.^_`|~\\w-]+";
const word = `(?:${token}|"(?:[^"\\\\]|\\\\.)*")`;
const equals = '[ \\t]*=[ \\t]*';

/**
 * The pattern of a list element. A comma in a quoted string does not end the element, and a quoted string may lack its closing
 * quote.
 */
const listElement = /(?:[^",]|"(?:[^"\\]|\\.?)*"?)+/g;

/**
 * The pattern of a preference: its name, its value and its parameters.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7240#section-2 RFC 7240 section 2}
 */
const preference = new RegExp(
  `^[ \\t]*(?<name>${token})(?:${equals}(?<value>${word}))?(?:[ \\t]*;(?:[ \\t]*${token}(?:${equals}${word})?)?)*[ \\t]*$`,
);

/**
 * Returns true if the client prefers an asynchronous response. If `respond-async` is repeated, the first one counts. RFC 7240
 * defines `respond-async` without a value, so the function ignores `respond-async` with a value that is not empty. The function
 * also ignores parameters and malformed preferences.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7240#section-4.1 RFC 7240 section 4.1}
 */
export function prefersAsync(request: Request): boolean {
  const elements = request.header('Prefer')?.match(listElement) ?? [];
  const preferences = elements.map((element) => preference.exec(element)?.groups);
  const first = preferences.find((groups) => groups?.name?.toLowerCase() === 'respond-async');
  return first !== undefined && (first.value === undefined || first.value === '""');
}

/**
 * Returns the 202 response for an accepted bark. The body contains the URL of the bark: as JSON if the client prefers JSON,
 * otherwise as HTML.
 */
export function accepted(request: Request, barkUrl: string): Response {
  const mediaType = new Negotiator({ headers: { accept: request.header('Accept') ?? '*/*' } }).mediaType([
    'text/html',
    'application/json',
  ]);
  const headers = {
    Location: barkUrl,
    'Retry-After': String(retryAfterSeconds),
    Vary: 'Accept, Prefer',
    ...(prefersAsync(request) && { 'Preference-Applied': 'respond-async' }),
  };
  if (mediaType === 'application/json')
    return { status: 202, headers, body: { bark: barkUrl, status: 'pending' } };
  return {
    status: 202,
    headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' },
    body: `<!doctype html>\n<title>Bark accepted</title>\n<p>The dog will bark. <a href="${barkUrl}">Check the status of the bark</a>.</p>\n`,
  };
}
