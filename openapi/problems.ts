import { header } from './headers.ts';
import { type Fault, problem } from './responses.ts';
import type { Response } from './types.ts';

/** The problems that several routes share. */

export const noDog = 'There is no dog "rex".';

export function notFound(description = 'There is no such dog', detail = noDog): Response {
  return problem(404, description, { notFound: detail });
}

/**
 * Returns the 400 and 415 responses for a body that is not JSON.
 *
 * @param empty the detail for an empty body; undefined if the route has no such detail
 */
export function badBody(
  acceptHeader: 'Accept' | 'Accept-Post',
  { empty, others = {} }: { empty?: string; others?: Readonly<Record<string, string>> } = {},
): Record<400 | 415, Response> {
  const details = {
    notJson: 'The body is not valid JSON, or has a key that is not allowed.',
    ...(empty !== undefined && { empty }),
    ...others,
  };
  return {
    400: problem(400, 'The body is not JSON, or a header field is not well formed', details),
    415: problem(
      415,
      'The body is not JSON by its type',
      { notJson: 'The body must be JSON, with Content-Type: application/json.' },
      { [acceptHeader]: header(acceptHeader) },
    ),
  };
}

/** Returns the 422 response for a body with these invalid fields. */
export function badContent(examples: Readonly<Record<string, Readonly<Record<string, string>>>>): Response {
  const faults = Object.entries(examples).map(([name, fields]) => [name, fieldFault(fields)]);
  return problem(422, 'The body is not as it should be; each fault is named', Object.fromEntries(faults));
}

/** Returns a problem that lists its fields by JSON pointers. */
export function fieldFault(fields: Readonly<Record<string, string>>): Fault {
  const errors = Object.entries(fields).map(([pointer, detail]) => ({ pointer, detail }));
  const sentences = errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
  return { detail: `The body is not as it should be: ${sentences}.`, errors };
}

export const badTag = 'If-Match must be * or a list of entity tags in double quotes, as ETag gives them.';
