import type { JWTPayload } from 'jose';
import { signAccessToken } from '../../lambdas/domain/tokens/access-token.ts';
import { ensureKey, signingKey } from '../../lambdas/domain/tokens/signing-keys.ts';
import { useDatabase } from './database.ts';
import { injectFaults, reset } from './faults.ts';

export const issuer = 'urn:dogs:000000000000:us-east-1:test';

export let now = Date.UTC(2026, 10, 21, 12);

/** Each test runs a day after the one before it, when the functions' caches of the keys have expired. */
export function useTokens(): void {
  useDatabase();
  beforeAll(injectFaults);
  beforeEach(() => {
    reset();
    now += 24 * 3_600_000;
  });
}

/** @param times `after`: the time of the context, in seconds from `now`. `milliseconds`: the time until the deadline */
export function newContext({ after = 0, milliseconds = 8_000 } = {}) {
  return { now: now + after * 1000, signal: AbortSignal.timeout(milliseconds) };
}

/** Issues an access token for the user `jane` and the client `walker`. @param times `after`: in seconds from `now` */
export async function newToken({ after = 0 } = {}): Promise<string> {
  await ensureKey(() => newContext({ after }));
  const subject = { user: 'jane', client: 'walker' };
  return signAccessToken(subject, await signingKey(newContext({ after })), newContext({ after }));
}

export function partsOf(token: string): [header: Record<string, unknown>, payload: JWTPayload] {
  const [header = '', payload = ''] = token.split('.');
  return [header, payload].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString())) as never;
}
