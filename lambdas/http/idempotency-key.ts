import type { IdempotencyKey } from '../domain/barks/request.ts';
import { Problem } from './problem.ts';
import type { Request } from './request.ts';

const longest = 255;

/** A string of RFC 9651 section 3.3.3, without parameters; two of them, joined by a comma, are none. */
const quotedString = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/**
 * The key by which a client sends a request again (draft-ietf-httpapi-idempotency-key-header); undefined without one.
 *
 * @throws Problem 400
 */
export function idempotencyKey(
  request: Request,
  resource: IdempotencyKey['resource'],
): IdempotencyKey | undefined {
  const field = request.header('Idempotency-Key');
  if (field === undefined) return undefined;
  const [, quoted = ''] = quotedString.exec(field.trim()) ?? [];
  const value = quoted.replace(/\\(.)/g, '$1');
  if (value.length === 0 || value.length > longest)
    throw new Problem(
      400,
      `Idempotency-Key must be one string of 1 to ${longest} characters in double quotes, such as "8e03978e-40d5-43e8-bc93-6894a57f9324".`,
    );
  return { user: request.user, resource, value };
}
