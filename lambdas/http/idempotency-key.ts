import { parseItem } from 'structured-headers';
import type { IdempotencyKey } from '../domain/barks/bark.ts';
import { Problem } from './problem.ts';
import type { Request } from './request.ts';

const maxLength = 255;

/**
 * @throws Problem 400 if the header is not a single string of 1 to 255 characters
 * @see {@link https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ The Idempotency-Key HTTP Header Field}
 */
export function idempotencyKey(
  request: Request,
  resource: IdempotencyKey['resource'],
): IdempotencyKey | undefined {
  const field = request.header('Idempotency-Key');
  if (field === undefined) return undefined;
  const value = stringOf(field);
  if (value.length === 0 || value.length > maxLength)
    throw new Problem(
      'invalid-idempotency-key',
      `The Idempotency-Key header must be a single string of 1 to ${maxLength} characters in double quotes, such as "8e03978e-40d5-43e8-bc93-6894a57f9324".`,
    );
  return { user: request.user, resource, value };
}

/** Empty for anything but one string without parameters: https://www.rfc-editor.org/rfc/rfc9651#section-3.3.3 */
function stringOf(field: string): string {
  try {
    const [value, parameters] = parseItem(field);
    return typeof value === 'string' && parameters.size === 0 ? value : '';
  } catch {
    return '';
  }
}
