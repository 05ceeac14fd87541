import Negotiator from 'negotiator';
import type { Response } from './endpoint.ts';
import type { Request } from './request.ts';

/** The time that a client should wait before it reads an accepted bark, in seconds. */
const retryAfterSeconds = 1;

/**
 * Returns true if the client prefers an asynchronous response.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7240#section-4.1 RFC 7240 section 4.1}
 */
export function prefersAsync(request: Request): boolean {
  const preferences = (request.header('Prefer') ?? '')
    .split(',')
    .map((preference) => preference.split(/[;=]/)[0]?.trim());
  return preferences.some((name) => name?.toLowerCase() === 'respond-async');
}

/** Returns the 202 for an accepted bark. The body has the URL of the bark, in HTML or, if the client prefers it, in JSON. */
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
    body: `<!doctype html>\n<title>Bark accepted</title>\n<p>The dog will bark: <a href="${barkUrl}">see how far it is</a>.</p>\n`,
  };
}
