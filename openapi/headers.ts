import type { Header, Reference } from './types.ts';

const text = { type: 'string' } as const;

/** The header fields of the responses. Each response that lists a required field has it. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of the request in the logs. API Gateway chooses it',
    required: true,
    schema: { type: 'string', pattern: '^\\S+$' },
    example: 'JKJaXmPLvHcESHA=',
  },
  'X-Content-Type-Options': {
    description: 'The type of the body is what Content-Type says',
    required: true,
    schema: { const: 'nosniff' },
  },
  'Cache-Control': {
    description: 'Not to be kept by caches',
    required: true,
    schema: { const: 'no-store' },
  },
  Location: {
    description: 'Where to look next',
    required: true,
    schema: { type: 'string', format: 'uri' },
  },
  ETag: {
    description: 'The strong entity tag of the dog as it is shown',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"01ARZ3NDEKTSV4RRFFQ69G5FAV.7.mB0sU9w1xQyZ"',
  },
  'Last-Modified': {
    description: 'When the dog was last changed; it never goes back',
    required: true,
    schema: { type: 'string', pattern: ' GMT$' },
    example: 'Sat, 21 Nov 2026 07:00:00 GMT',
  },
  NextPage: {
    description: 'The next page, with rel="next"; absent on the last one',
    schema: { type: 'string', pattern: '^<https?://[^>]+>; rel="next"$' },
    example: '<https://dogs.example.com/v1/dogs/?limit=20&after=rex>; rel="next"',
  },
  Record: {
    description: 'The URL that stays the bark’s own, with rel="bookmark"; absent where nothing is recorded',
    schema: { type: 'string', pattern: '^<https?://[^>]+>; rel="bookmark"$' },
    example: '<https://dogs.example.com/v1/dogs/rex/barks/s01M7XTJQRGHZ3MM2X05VM3ARQN>; rel="bookmark"',
  },
  'Retry-After': {
    description: 'How many seconds to wait before the next try',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1',
  },
  'Preference-Applied': {
    description: 'That Prefer: respond-async was honoured; absent where nobody asked for it',
    schema: { const: 'respond-async' },
  },
  Vary: { description: 'What of the request the answer depends on', required: true, schema: text },
  'Accept-Post': { description: 'The types that POST takes here', required: true, schema: text },
  'Accept-Patch': {
    description: 'The types that PATCH takes here; where the type was not one of them',
    schema: text,
  },
  Accept: { description: 'The types that PUT takes here', required: true, schema: text },
  'WWW-Authenticate': {
    description: 'How to prove who is calling',
    required: true,
    schema: text,
    example: 'Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"',
  },
  'x-amzn-Remapped-WWW-Authenticate': {
    description: 'How a client proves itself: WWW-Authenticate, as API Gateway renames it',
    required: true,
    schema: text,
    example: 'Basic realm="dogs", charset="UTF-8"',
  },
  'x-amzn-ErrorType': {
    description: 'The name of the error; only in a response that API Gateway generates itself',
    schema: { type: 'string', pattern: '^[A-Za-z]+$' },
    example: 'UnauthorizedException',
  },
  Pragma: { description: 'As RFC 6749 has it', required: true, schema: { const: 'no-cache' } },
  'Content-Security-Policy': {
    description: 'The page may use its own script and style, and call this service; nothing else',
    required: true,
    schema: text,
  },
  'Referrer-Policy': {
    description: 'No other site learns of the page',
    required: true,
    schema: { const: 'no-referrer' },
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof headers;

/** The header field of a 405, which belongs to no operation. */
export const allow: Header = {
  description: 'The methods that the path answers',
  required: true,
  schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' },
};

/** Returns a reference to a header field, with a description that replaces the general one. */
export function header(name: HeaderName, description?: string): Reference {
  return { $ref: `#/components/headers/${name}`, ...(description && { description }) };
}

/** Returns the `Cache-Control` of a response that differs from the others. */
export function cacheControl(pattern: string, description: string): Header {
  return { description, required: true, schema: { type: 'string', pattern } };
}
