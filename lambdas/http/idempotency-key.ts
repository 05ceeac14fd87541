import type { IdempotencyKey } from '../domain/barks/request.ts';
import { Problem } from './problem.ts';
import type { Request } from './request.ts';

const maxLength = 255;

/**
 * A string without parameters. The pattern does not match two strings that are joined by a comma.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9651#section-3.3.3 RFC 9651 section 3.3.3}
 */
const quotedString = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/**
 * Returns the idempotency key of a request; undefined if the request has none.
 *
 * @throws Problem 400 if the header is not one string of 1 to 255 characters
 * @see {@link https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ The Idempotency-Key HTTP Header Field}
 */
export function idempotencyKey(
  request: Request,
  resource: IdempotencyKey['resource'],
): IdempotencyKey | undefined {
  const field = request.header('Idempotency-Key');
  if (field === undefined) return undefined;
  const [, quoted = ''] = quotedString.exec(field.trim()) ?? [];
  const value = quoted.replace(/\\(.)/g, '$1');
  if (value.length === 0 || value.length > maxLength)
    throw new Problem(
      'invalid-idempotency-key',
      `The Idempotency-Key header must be one string of 1 to ${maxLength} characters in double quotes, such as "8e03978e-40d5-43e8-bc93-6894a57f9324".`,
    );
  return { user: request.user, resource, value };
}
