import Negotiator from 'negotiator';
import type { Response } from './endpoint.ts';
import type { Request } from './request.ts';

/** How soon it is worth looking at a bark that was accepted, in seconds. */
const retryAfter = 1;

/** True if the client asks for asynchronous handling (RFC 7240 section 4.1). */
export function prefersAsync(request: Request): boolean {
  const preferences = (request.header('Prefer') ?? '')
    .split(',')
    .map((preference) => preference.split(/[;=]/)[0]?.trim());
  return preferences.some((name) => name?.toLowerCase() === 'respond-async');
}

/** 202, with a short note that leads to the bark: hypertext, or JSON for a client that prefers it. */
export function accepted(request: Request, barkUrl: string): Response {
  const mediaType = new Negotiator({ headers: { accept: request.header('Accept') ?? '*/*' } }).mediaType([
    'text/html',
    'application/json',
  ]);
  const headers = {
    Location: barkUrl,
    'Retry-After': String(retryAfter),
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
