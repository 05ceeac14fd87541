import { header } from './headers.ts';
import { gatewayDetailsOf, type ProblemExample, type ProblemExamples, problem } from './responses.ts';
import type { Response } from './types.ts';

export const emptyBody = 'The request body is empty. Send a JSON object.';

export const unknownDog = 'There is no dog "rex".';

/** For an operation that returns 404 only if the dog does not exist. */
export function notFound(): Response {
  return problem(404, 'The dog does not exist.', { 'dog-not-found': unknownDog });
}

export const overLimit: Response = problem(
  429,
  'The dog or the user has reached a bark or mail limit, or the service is receiving too many requests. The dog did not bark.',
  {
    'bark-limit-reached':
      'The limit of 100 barks for each dog in 60 minutes is reached. The dog did not bark. Wait for the number of seconds in Retry-After, then send the request again.',
    'mail-limit-reached':
      'The limit of 60 mails for each dog in 60 minutes is reached. The dog did not bark. Wait for the number of seconds in Retry-After, then send the request again.',
  },
  {
    'Retry-After': header('Retry-After'),
    'RateLimit-Policy': header('RateLimit-Policy'),
    RateLimit: header('RateLimit'),
  },
  gatewayDetailsOf(429, 'user'),
);

/** The detail of API Gateway's 415 response, by example name. */
export const undecodable = { undecodable: String(gatewayDetailsOf(415, 'public').unsupportedMediaType) };

/**
 * For an operation that accepts a JSON body.
 *
 * @param acceptHeader the header field that lists the accepted media types
 * @param empty the detail of the problem for an empty body, if the operation does not accept one
 * @param others examples of further 400 problems
 */
export function jsonBodyProblems(
  acceptHeader: 'Accept' | 'Accept-Post',
  { empty, others = {} }: { empty?: string; others?: ProblemExamples } = {},
): Record<400 | 415, Response> {
  const problems = {
    'invalid-json': 'The request body is not valid JSON: unexpected "}" at line 3, column 5.',
    'forbidden-key':
      'The request body has a forbidden key: "__proto__", or a "constructor" that contains "prototype". Remove the key.',
    ...(empty !== undefined && { 'empty-body': empty }),
    ...others,
  };
  return {
    400: problem(400, 'The body is not valid JSON, or a header field is malformed.', problems),
    415: problem(
      415,
      'The Content-Type is not JSON, or the body does not have the coding in Content-Encoding.',
      {
        'unsupported-media-type':
          'The request body must be JSON. Send it with Content-Type: application/json.',
      },
      { [acceptHeader]: header(acceptHeader) },
      undecodable,
    ),
  };
}

/**
 * For an operation that accepts a JSON body.
 *
 * @param details the error for each field, by JSON Pointer
 * @param others examples of further 422 problems
 */
export function invalidFields(
  details: Readonly<Record<string, string>>,
  others: ProblemExamples = {},
): Response {
  return problem(422, 'Some fields of the body are invalid. `errors` lists them.', {
    'invalid-body': fieldErrors(details),
    ...others,
  });
}

/** @param details the error for each field, by JSON Pointer */
export function fieldErrors(details: Readonly<Record<string, string>>): ProblemExample {
  const errors = Object.entries(details).map(([pointer, detail]) => ({ pointer, detail }));
  const clauses = errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
  return { detail: `The request body is invalid: ${clauses}.`, errors };
}

export const pageProblems: ProblemExamples = {
  'invalid-limit': 'The query parameter "limit" must be a whole number from 1 to 100.',
  'invalid-cursor':
    'The query parameter "after" is not a cursor from this list. Use the URL in the Link header with rel="next".',
};
