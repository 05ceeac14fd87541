// The package's main module also contains charset, encoding and language negotiation.
import preferredMediaTypes from 'negotiator/lib/mediaType.js';
import type { Response } from './endpoint.ts';
import { preferenceOf } from './prefer.ts';
import type { Request } from './request.ts';

/** Ignores `respond-async` with a value, because none is defined: https://www.rfc-editor.org/rfc/rfc7240#section-4.1 */
export function prefersAsync(request: Request): boolean {
  return preferenceOf(request, 'respond-async') === '';
}

const retryAfterSeconds = 1;

/**
 * The body contains the bark's URL: as JSON if the client prefers JSON, otherwise as HTML.
 *
 * @param headers more header fields
 */
export function accepted(request: Request, location: string, headers: Response['headers']): Response {
  const [mediaType] = preferredMediaTypes(withoutParameters(request.header('Accept') ?? '*/*'), [
    'text/html',
    'application/json',
  ]);
  const all = {
    Location: location,
    'Retry-After': String(retryAfterSeconds),
    Vary: 'Accept, Prefer',
    ...headers,
  };
  if (mediaType === 'application/json')
    return { status: 202, headers: all, body: { bark: location, status: 'pending' } };
  return {
    status: 202,
    headers: { ...all, 'Content-Type': 'text/html; charset=utf-8' },
    body: `<!doctype html>\n<title>Bark accepted</title>\n<p>The dog will bark. <a href="${location}">Check the status of the bark</a>.</p>\n`,
  };
}

/** Keeps only weights. The negotiator would ignore `application/json;charset=utf-8`, because JSON is offered without parameters. */
function withoutParameters(accept: string): string {
  return accept.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/;(?!\s*q\s*=)[^,;]*/gi, '');
}
