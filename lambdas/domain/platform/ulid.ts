import { randomBytes } from 'node:crypto';
import { encodeTime } from 'ulid';

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new ULID, which sorts by its time in milliseconds. The package's own asks for chance once for each character. */
export function ulid(time: number): string {
  return ulidOf(time, randomBytes(16));
}

/** The ULID of a time in milliseconds and of 16 bytes, of which the lower five bits count. */
export function ulidOf(time: number, bytes: Uint8Array): string {
  return encodeTime(time) + [...bytes.subarray(0, 16)].map((byte) => crockford[byte % 32]).join('');
}
