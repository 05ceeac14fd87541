import { randomBytes } from 'node:crypto';
import { encodeTime } from 'ulid';

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Faster than the function of the ulid package, which requests random bytes for each character separately.
 *
 * @param time milliseconds since 1970
 */
export function ulid(time: number): string {
  return ulidOf(time, randomBytes(16));
}

/**
 * The lower five bits of each byte determine a character.
 *
 * @param time milliseconds since 1970
 * @param bytes at least 16 bytes; the function ignores the rest
 */
export function ulidOf(time: number, bytes: Uint8Array): string {
  return encodeTime(time) + [...bytes.subarray(0, 16)].map((byte) => crockford[byte % 32]).join('');
}
