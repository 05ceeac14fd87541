import { header } from './headers.ts';
import { type ProblemExample, problem } from './responses.ts';
import type { Response } from './types.ts';

/** The problems that several operations share. */

export const unknownDog = 'There is no dog "rex".';

/** Returns the 404 response. */
export function notFound(description = 'The dog does not exist.', detail = unknownDog): Response {
  return problem(404, description, { unknownDog: detail });
}

/**
 * Returns the 400 and 415 responses of an operation that requires a JSON body.
 *
 * @param acceptHeader the header field that lists the accepted media types
 * @param empty the detail of the problem of an empty body, if the operation refuses it
 * @param others the details of further 400 problems, by the names of their examples
 */
export function jsonBodyProblems(
  acceptHeader: 'Accept' | 'Accept-Post',
  { empty, others = {} }: { empty?: string; others?: Readonly<Record<string, string>> } = {},
): Record<400 | 415, Response> {
  const details = {
    notJson: 'The body is not valid JSON, or has a key that is not allowed.',
    ...(empty !== undefined && { empty }),
    ...others,
  };
  return {
    400: problem(400, 'The body is not valid JSON, or a header field is malformed.', details),
    415: problem(
      415,
      'The Content-Type is not JSON.',
      { notJson: 'The body must be JSON, with Content-Type: application/json.' },
      { [acceptHeader]: header(acceptHeader) },
    ),
  };
}

/** Returns the 422 response. @param examples for each example, the errors of the fields by JSON Pointer */
export function invalidFields(
  examples: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Response {
  const problems = Object.entries(examples).map(([name, errors]) => [name, fieldErrors(errors)]);
  return problem(
    422,
    'Fields of the body are invalid. `errors` lists each of them.',
    Object.fromEntries(problems),
  );
}

/** Returns an example of a problem with invalid fields. @param details the error of each field by JSON Pointer */
export function fieldErrors(details: Readonly<Record<string, string>>): ProblemExample {
  const errors = Object.entries(details).map(([pointer, detail]) => ({ pointer, detail }));
  const clauses = errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
  return { detail: `The body is not as it should be: ${clauses}.`, errors };
}

export const malformedEntityTags =
  'If-Match must be * or a list of entity tags in double quotes, as ETag gives them.';
