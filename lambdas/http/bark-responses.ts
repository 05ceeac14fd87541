// The package's main module also contains charset, encoding and language negotiation.
import preferredMediaTypes from 'negotiator/lib/mediaType.js';
import type { Bark } from '../domain/barks/bark.ts';
import type { Response } from './endpoint.ts';
import { preferenceApplied } from './prefer.ts';
import { barkResource, barkUrl } from './representations.ts';
import type { Request } from './request.ts';

const retryAfterSeconds = 1;

/** The body contains the bark's URL: as JSON if the client prefers JSON, otherwise as HTML. */
export function accepted(request: Request, location: string): Response {
  const [mediaType] = preferredMediaTypes(withoutParameters(request.header('Accept') ?? '*/*'), [
    'text/html',
    'application/json',
  ]);
  const headers = {
    Location: location,
    'Retry-After': String(retryAfterSeconds),
    Vary: 'Accept, Prefer',
    ...preferenceApplied(request, 'respond-async', 'wait'),
  };
  if (mediaType === 'application/json')
    return { status: 202, headers, body: { bark: location, status: 'pending' } };
  return {
    status: 202,
    headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' },
    body: `<!doctype html>\n<title>Bark accepted</title>\n<p>The dog will bark. <a href="${location}">Check the status of the bark</a>.</p>\n`,
  };
}

/** Keeps only weights. The negotiator would ignore `application/json;charset=utf-8`, because JSON is offered without parameters. */
function withoutParameters(accept: string): string {
  return accept.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/;(?!\s*q\s*=)[^,;]*/gi, '');
}

/** For an asynchronous bark that failed or was cancelled while the client waited. */
export function notPerformed(request: Request, bark: Bark): Response {
  const { baseUrl } = request;
  return {
    status: 200,
    headers: {
      ...preferenceApplied(request, 'respond-async', 'wait'),
      'Content-Location': barkUrl(baseUrl, bark),
    },
    body: barkResource(bark, baseUrl),
  };
}
