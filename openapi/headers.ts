import type { Header, Reference } from './types.ts';

const text = { type: 'string' } as const;

/** The header fields of responses. A response that lists a required field always contains it. */
export const headers = {
  'X-Request-Id': {
    description: 'The ID that API Gateway assigns to the request. The service logs it.',
    required: true,
    schema: { type: 'string', pattern: '^\\S+$' },
    example: 'JKJaXmPLvHcESHA=',
  },
  RequestIdOfService: {
    description:
      'The ID that API Gateway assigns to the request. The service logs it. The field is absent if API Gateway generates the response itself; `instance` then contains the ID.',
    schema: { type: 'string', pattern: '^\\S+$' },
    example: 'JKJaXmPLvHcESHA=',
  },
  'X-Content-Type-Options': {
    description: 'Browsers use the media type in Content-Type and do not guess another one.',
    required: true,
    schema: { type: 'string', const: 'nosniff' },
    example: 'nosniff',
  },
  'Cache-Control': {
    description: 'Caches must not store the response.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
  },
  Location: {
    description: 'The URL of the resource to read next.',
    required: true,
    schema: { type: 'string', format: 'uri' },
    example: 'https://dogs.example.com/v1/dogs/rex/',
  },
  ETag: {
    description: 'The strong entity tag of the current representation.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"01M7XTJQRGHZ3MM2X05VM3ARQN.7.mB0sU9w1xQyZ"',
  },
  WeakETag: {
    description: 'The weak entity tag of the current representation.',
    required: true,
    schema: { type: 'string', pattern: '^W/"[^"]+"$' },
    example: 'W/"mB0sU9w1xQyZ4t7hKc2LrA"',
  },
  'Last-Modified': {
    description: 'The time of the last change to the dog. It never moves backward.',
    required: true,
    schema: { type: 'string', pattern: ' GMT$' },
    example: 'Sat, 21 Nov 2026 07:00:00 GMT',
  },
  NextPageLink: {
    description: 'The URL of the next page, with rel="next". The last page has no Link header.',
    schema: { type: 'string', pattern: '^<https?://[^>]+>; rel="next"$' },
    example: '<https://dogs.example.com/v1/dogs/?limit=20&after=rex>; rel="next"',
  },
  RecordedBarkLink: {
    description:
      'The permanent URL of this bark, with rel="bookmark". The field is absent if the bark is not recorded.',
    schema: { type: 'string', pattern: '^<https?://[^>]+>; rel="bookmark"$' },
    example: '<https://dogs.example.com/v1/dogs/rex/barks/s01M7XTJQRGHZ3MM2X05VM3ARQN>; rel="bookmark"',
  },
  'Retry-After': {
    description: 'The number of seconds to wait before the next request.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1',
  },
  'RateLimit-Policy': {
    description:
      'The limits that have been reached: the name of the setting, its value (`q`) and the length of the window in seconds (`w`). The field is absent if API Gateway refused the request.',
    schema: { type: 'string', pattern: '^"[A-Za-z]+";q=[0-9]+;w=[0-9]+(, |$)' },
    example: '"mailsPerDog";q=60;w=3600',
  },
  RateLimit: {
    description:
      'For each limit that has been reached: the remaining barks or emails (`r`) and the number of seconds until the window ends (`t`). The field is absent if API Gateway refused the request.',
    schema: { type: 'string', pattern: '^"[A-Za-z]+";r=0;t=[0-9]+(, |$)' },
    example: '"mailsPerDog";r=0;t=1234',
  },
  'Preference-Applied': {
    description:
      'The preferences that the service has applied to an asynchronous bark: `respond-async`, `wait` with the longest time that the service waits, or both. The field is absent if the service has applied none.',
    schema: { type: 'string', pattern: '^(respond-async|(respond-async, )?wait=([1-9]|1[0-9]|20))$' },
    example: 'respond-async, wait=10',
  },
  'Content-Location': {
    description: 'The URL of the bark in the body. The field is absent if the bark is complete.',
    schema: { type: 'string', format: 'uri' },
    example: 'https://dogs.example.com/v1/dogs/rex/barks/a01M7XTJQRGHZ3MM2X05VM3ARQN',
  },
  Vary: {
    description: 'The header fields of the request on which the response depends.',
    required: true,
    schema: text,
    example: 'Accept, Prefer',
  },
  'Accept-Post': {
    description:
      'The media types that the service accepts in a POST to this path. The field is absent if API Gateway refused the request.',
    schema: text,
    example: 'application/json',
  },
  'Accept-Patch': {
    description:
      'The media types that the service accepts in a PATCH to this path. The field is present only if the request has an unsupported media type.',
    schema: text,
    example: 'application/json, application/merge-patch+json',
  },
  Accept: {
    description:
      'The media types that the service accepts in a PUT to this path. The field is absent if API Gateway refused the request.',
    schema: text,
    example: 'application/json',
  },
  'WWW-Authenticate': {
    description: 'The authentication schemes that the service supports.',
    required: true,
    schema: text,
    example: 'Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"',
  },
  'x-amzn-Remapped-WWW-Authenticate': {
    description:
      'The authentication scheme for clients of the token endpoint. API Gateway renames the WWW-Authenticate header to this.',
    required: true,
    schema: text,
    example: 'Basic realm="dogs", charset="UTF-8"',
  },
  'x-amzn-ErrorType': {
    description:
      'The name that API Gateway gives to the error. The field is present only in a response that API Gateway generates itself.',
    schema: { type: 'string', pattern: '^[A-Za-z]+$' },
    example: 'UnauthorizedException',
  },
  Pragma: {
    description: 'HTTP/1.0 caches must not store the response. RFC 6749 requires this field.',
    required: true,
    schema: { type: 'string', const: 'no-cache' },
    example: 'no-cache',
  },
  'Content-Security-Policy': {
    description:
      'The page may use only its own scripts and styles, and may send requests only to this service.',
    required: true,
    schema: text,
    example: "default-src 'none'; connect-src 'self'; img-src data:",
  },
  'Referrer-Policy': {
    description: 'Browsers do not send the URL of the page to other sites.',
    required: true,
    schema: { type: 'string', const: 'no-referrer' },
    example: 'no-referrer',
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof headers;

/** Not a component, because no operation describes a 405 response. */
export const allow: Header = {
  description: 'The methods that the path supports.',
  required: true,
  schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' },
  example: 'DELETE, GET, HEAD, PATCH, PUT',
};

/** @param description replaces the header field's own description */
export function header(name: HeaderName, description?: string): Reference {
  return { $ref: `#/components/headers/${name}`, ...(description && { description }) };
}

/** For a response that caches may store. */
export function cacheControl(pattern: string, description: string, example: string): Header {
  return { description, required: true, schema: { type: 'string', pattern }, example };
}

/** Of each representation with an entity tag, except files. */
export const revalidated = {
  'Cache-Control': cacheControl(
    '^private, no-cache$',
    "Only the client's cache may store the response. The cache must revalidate the response before each use.",
    'private, no-cache',
  ),
};
