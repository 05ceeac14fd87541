import { header } from './headers.ts';
import { gatewayDetailsOf } from './responses.ts';
import type { ProblemExample, ResponseDescription } from './types.ts';

/** The problems of several operations. */

/** For an operation that returns 404 only if the dog does not exist. */
export const noDog: ResponseDescription = {
  description: 'The dog does not exist.',
  problems: ['dog-not-found'],
};

export const invalidPage: ResponseDescription = {
  description: '`limit` or `after` is invalid.',
  problems: ['invalid-limit', 'invalid-cursor'],
};

export const overLimit: ResponseDescription = {
  description:
    'The dog or the user has reached a bark or mail limit, or the service is receiving too many requests. The dog did not bark.',
  headers: {
    'Retry-After': header('Retry-After'),
    'RateLimit-Policy': header('RateLimit-Policy'),
    RateLimit: header('RateLimit'),
  },
  problems: ['bark-limit-reached', 'mail-limit-reached'],
  gateway: gatewayDetailsOf(429, 'user'),
};

/** The detail of API Gateway's 415 response, by example name. */
export const undecodable = { undecodable: String(gatewayDetailsOf(415, 'public').unsupportedMediaType) };

export const malformedBody: ResponseDescription = {
  description: 'The body is not valid JSON, or a header field is malformed.',
  problems: ['invalid-json', 'forbidden-key', 'empty-body'],
};

/** @param acceptHeader the header field that lists the accepted media types */
export function unsupportedMediaType(acceptHeader: 'Accept' | 'Accept-Post'): ResponseDescription {
  return {
    description: 'The Content-Type is not JSON, or the body does not have the coding in Content-Encoding.',
    headers: { [acceptHeader]: header(acceptHeader) },
    problems: ['unsupported-media-type'],
    gateway: undecodable,
  };
}

export const invalidFields = 'Some fields of the body are invalid. `errors` lists them.';

/** @param details the error for each field, by JSON Pointer */
export function invalidBody(details: Readonly<Record<string, string>>): ProblemExample {
  const errors = Object.entries(details).map(([pointer, detail]) => ({ pointer, detail }));
  const clauses = errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
  return { type: 'invalid-body', detail: `The request body is invalid: ${clauses}.`, errors };
}
