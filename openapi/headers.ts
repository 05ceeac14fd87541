import type { Header, Reference, Schema } from './types.ts';
import { waitingHeaders } from './waiting/headers.ts'; // @extension waiting

export const always = (description: string, example: string, rules: Schema = {}): Header => ({
  description,
  required: true,
  schema: { type: 'string', ...rules },
  example,
});

const optional = (description: string, example: string, rules: Schema = {}): Header => ({
  description,
  schema: { type: 'string', ...rules },
  example,
});

const constant = (description: string, value: string) => always(description, value, { const: value });

const preferenceApplied = {
  'Preference-Applied': optional(
    'The preference that the service has applied. The field is absent if the service has applied none.',
    'respond-async',
    { const: 'respond-async' },
  ),
};

/** The header fields of responses. A response that lists a required field always contains it. */
export const headers = {
  'X-Request-Id': always(
    'The ID that API Gateway assigns to the request. The service logs it.',
    'JKJaXmPLvHcESHA=',
    { pattern: '^\\S+$' },
  ),
  RequestIdOfService: optional(
    'The ID that API Gateway assigns to the request. The service logs it. The field is absent if API Gateway generates the response itself; `instance` then contains the ID.',
    'JKJaXmPLvHcESHA=',
    { pattern: '^\\S+$' },
  ),
  'X-Content-Type-Options': constant(
    'Browsers use the media type in Content-Type and do not guess another one.',
    'nosniff',
  ),
  'Cache-Control': constant('Caches must not store the response.', 'no-store'),
  Location: always('The URL of the resource to read next.', 'https://dogs.example.com/v1/dogs/rex/', {
    format: 'uri',
  }),
  ETag: always(
    'The strong entity tag of the current representation.',
    '"01M7XTJQRGHZ3MM2X05VM3ARQN.7.mB0sU9w1xQyZ"',
    { pattern: '^"[^"]+"$' },
  ),
  WeakETag: always('The weak entity tag of the current representation.', 'W/"mB0sU9w1xQyZ4t7hKc2LrA"', {
    pattern: '^W/"[^"]+"$',
  }),
  'Last-Modified': always(
    'The time of the last change to the dog. It never moves backward.',
    'Sat, 21 Nov 2026 07:00:00 GMT',
    { pattern: ' GMT$' },
  ),
  NextPageLink: optional(
    'The URL of the next page, with rel="next". The last page has no Link header.',
    '<https://dogs.example.com/v1/dogs/?limit=20&after=rex>; rel="next"',
    { pattern: '^<https?://[^>]+>; rel="next"$' },
  ),
  RecordedBarkLink: optional(
    'The permanent URL of this bark, with rel="bookmark". The field is absent if the bark is not recorded.',
    '<https://dogs.example.com/v1/dogs/rex/barks/s01M7XTJQRGHZ3MM2X05VM3ARQN>; rel="bookmark"',
    { pattern: '^<https?://[^>]+>; rel="bookmark"$' },
  ),
  'Retry-After': always('The number of seconds to wait before the next request.', '1', {
    pattern: '^[0-9]+$',
  }),
  'RateLimit-Policy': optional(
    'The limits that have been reached: the name of the setting, its value (`q`) and the length of the window in seconds (`w`). The field is absent if API Gateway refused the request.',
    '"mailsPerDog";q=60;w=3600',
    { pattern: '^"[A-Za-z]+";q=[0-9]+;w=[0-9]+(, |$)' },
  ),
  RateLimit: optional(
    'For each limit that has been reached: the remaining barks or emails (`r`) and the number of seconds until the window ends (`t`). The field is absent if API Gateway refused the request.',
    '"mailsPerDog";r=0;t=1234',
    { pattern: '^"[A-Za-z]+";r=0;t=[0-9]+(, |$)' },
  ),
  ...preferenceApplied,
  ...waitingHeaders, // @extension waiting
  Vary: always('The header fields of the request on which the response depends.', 'Accept, Prefer'),
  'Accept-Post': optional(
    'The media types that the service accepts in a POST to this path. The field is absent if API Gateway refused the request.',
    'application/json',
  ),
  'Accept-Patch': optional(
    'The media types that the service accepts in a PATCH to this path. The field is present only if the request has an unsupported media type.',
    'application/json, application/merge-patch+json',
  ),
  Accept: optional(
    'The media types that the service accepts in a PUT to this path. The field is absent if API Gateway refused the request.',
    'application/json',
  ),
  'WWW-Authenticate': always(
    'The authentication schemes that the service supports.',
    'Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"',
  ),
  'x-amzn-Remapped-WWW-Authenticate': always(
    'The authentication scheme for clients of the token endpoint. API Gateway renames the WWW-Authenticate header to this.',
    'Basic realm="dogs", charset="UTF-8"',
  ),
  'x-amzn-ErrorType': optional(
    'The name that API Gateway gives to the error. The field is present only in a response that API Gateway generates itself.',
    'UnauthorizedException',
    { pattern: '^[A-Za-z]+$' },
  ),
  Pragma: constant('HTTP/1.0 caches must not store the response. RFC 6749 requires this field.', 'no-cache'),
  'Content-Security-Policy': always(
    'The page may use only its own scripts and styles, and may send requests only to this service.',
    "default-src 'none'; connect-src 'self'; img-src data:",
  ),
  'Referrer-Policy': constant('Browsers do not send the URL of the page to other sites.', 'no-referrer'),
} satisfies Record<string, Header>;

export type HeaderName = keyof typeof headers;

/** Not a component, because no operation describes a 405 response. */
export const allow = always('The methods that the path supports.', 'DELETE, GET, HEAD, PATCH, PUT', {
  pattern: '^[A-Z]+(, [A-Z]+)*$',
});

/** @param description replaces the header field's own description */
export function header(name: HeaderName, description?: string): Reference {
  return { $ref: `#/components/headers/${name}`, ...(description && { description }) };
}

/** Of each representation with an entity tag, except files. */
export const revalidated = {
  'Cache-Control': always(
    "Only the client's cache may store the response. The cache must revalidate the response before each use.",
    'private, no-cache',
    { pattern: '^private, no-cache$' },
  ),
};
