import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { SignJWT } from 'jose';
import { publicationKey } from '../../../../lambdas/domain/access/keys.ts';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import { Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { tokenLifetimeSeconds, userOfToken } from '../../../../lambdas/domain/tokens/access-token.ts';
import { keysMaxAgeSeconds, readPublishedKeys } from '../../../../lambdas/domain/tokens/published-keys.ts';
import { ensureKey, replaceKey, signingKey } from '../../../../lambdas/domain/tokens/signing-keys.ts';
import { calls, clearSecrets, plan, reset } from '../../../support/faults.ts';
import { issuer, newContext, newToken, now, partsOf, useTokens } from '../../../support/tokens.ts';

useTokens();

afterEach(() => {
  jest.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Ends each pause at once. Returns the durations of the pauses in milliseconds. */
function skipPauses(): unknown[] {
  const pauses: unknown[] = [];
  jest.spyOn(timers, 'setTimeout').mockImplementation(async (milliseconds) => {
    pauses.push(milliseconds);
    return undefined as never;
  });
  syncBuiltinESMExports();
  return pauses;
}

async function expectUsableKeys(...times: readonly number[]): Promise<void> {
  for (const after of times)
    expect(await userOfToken(await newToken({ after }), newContext({ after }))).toBe('jane');
}

test('After the clock was set back by an hour, a new key signs, and its tokens are accepted, although the caches seem to be fresh', async () => {
  const hour = 3_600;
  await replaceKey(newContext({ after: -2 * hour }));
  await userOfToken(await newToken(), newContext());
  const { kid, from } = await replaceKey(newContext({ after: -hour }));
  const later = { after: from - now / 1000 };
  const token = await newToken(later);
  expect(partsOf(token)[0].kid).toBe(kid);
  expect(await userOfToken(token, newContext(later))).toBe('jane');
});

test('replaceKey never creates a key that begins before the current one', async () => {
  clearSecrets();
  const current = await replaceKey(newContext());
  const next = await replaceKey(newContext({ after: -3_600 }));
  expect(next.from).toBe(current.from + 1);
  expect((await signingKey(newContext({ after: -3_600 }))).kid).toBe(current.kid);
  expect((await signingKey(newContext({ after: 1 }))).kid).toBe(next.kid);
});

test('signingKey returns the first key on a function whose clock is five seconds behind', async () => {
  clearSecrets();
  const { kid } = await replaceKey(newContext());
  expect((await signingKey(newContext({ after: -5 }))).kid).toBe(kid);
});

test('userOfToken accepts a new token even if the clock of the token endpoint was five seconds ahead', async () => {
  expect(await userOfToken(await newToken({ after: 5 }), newContext())).toBe('jane');
});

describe('replaceKey', () => {
  test('keeps all tokens valid', async () => {
    const before = await newToken();
    const { kid, from } = await replaceKey(newContext());
    expect((await readPublishedKeys(newContext())).map((key) => key.kid)).toContain(kid);
    expect(from).toBe(now / 1000 + keysMaxAgeSeconds);

    const during = await newToken({ after: keysMaxAgeSeconds - 1 });
    const after = await newToken({ after: 3 * keysMaxAgeSeconds });
    expect([before, during, after].map((token) => partsOf(token)[0].kid === kid)).toEqual([
      false,
      false,
      true,
    ]);
    for (const token of [before, during, after])
      expect(await userOfToken(token, newContext({ after: 3 * keysMaxAgeSeconds }))).toBe('jane');
    const last = newContext({ after: keysMaxAgeSeconds - 2 + tokenLifetimeSeconds });
    expect(await userOfToken(during, last)).toBe('jane');

    const gone = newContext({ after: 2 * keysMaxAgeSeconds + tokenLifetimeSeconds + 300 });
    expect((await readPublishedKeys(gone)).map((key) => key.kid)).toEqual([kid]);
    // The function has cached the old key, but must no longer accept it.
    expect(await userOfToken(during, gone)).toBeUndefined();
  });

  test('removes a key from the cache of functions when it is no longer published', async () => {
    await newToken();
    const key = await signingKey(newContext());
    const claims = { iss: issuer, aud: issuer, sub: 'jane', client_id: 'walker', exp: now / 1000 + 36_000 };
    const lasting = await new SignJWT(claims)
      .setProtectedHeader({ typ: 'at+jwt', alg: 'ES256', kid: key.kid })
      .sign(key);
    await replaceKey(newContext());
    const removed = 2 * keysMaxAgeSeconds + tokenLifetimeSeconds + 300;
    expect(await userOfToken(lasting, newContext({ after: removed - 1 }))).toBe('jane');
    expect(await userOfToken(lasting, newContext({ after: removed + 300 }))).toBeUndefined();
  });

  test('becomes visible to functions when they read the keys again for an unknown kid, at most every ten seconds', async () => {
    const token = await newToken();
    await userOfToken(token, newContext());
    await replaceKey(newContext());
    const newer = await newToken({ after: 3 * keysMaxAgeSeconds });
    const unknown = await new SignJWT()
      .setProtectedHeader({ typ: 'at+jwt', alg: 'ES256', kid: 'other' })
      .sign(await signingKey(newContext({ after: 3 * keysMaxAgeSeconds })));
    expect(await userOfToken(newer, newContext({ after: 3 * keysMaxAgeSeconds }))).toBe('jane');
    reset();
    for (const after of [1, 5, 9])
      await userOfToken(unknown, newContext({ after: 3 * keysMaxAgeSeconds + after }));
    expect(calls()).toEqual([]);
    for (const after of [11, 12, 20])
      await userOfToken(unknown, newContext({ after: 3 * keysMaxAgeSeconds + after }));
    expect(calls()).toEqual(['GetItem']);
  });
});

test('userOfToken and signingKey throw Unavailable during an outage, and read the keys during the next call', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const token = await newToken();
  plan('GetItem', 'fails before', 99);
  await expect(userOfToken(token, newContext())).rejects.toThrow(Unavailable);
  reset();
  expect(await userOfToken(token, newContext())).toBe('jane');
  plan('GetSecretValue', 'throttled', 99);
  await expect(signingKey(newContext({ after: 3_600 }))).rejects.toThrow(Unavailable);
  reset();
  expect(await signingKey(newContext({ after: 3_600 }))).toHaveProperty('d');
});

describe('ensureKey', () => {
  test('waits for another process that creates the first key', async () => {
    clearSecrets();
    plan('PutSecretValue', 'hangs');
    await expect(replaceKey(newContext({ milliseconds: 300 }))).rejects.toThrow(Unavailable);
    reset();
    const pauses = skipPauses();
    let after = 13;
    await ensureKey(() => newContext({ after: after++ }));
    expect(pauses).toEqual([1_000]);
    expect(calls().filter((name) => name === 'PutSecretValue')).toHaveLength(1);
    await expectUsableKeys(after);
  });

  test('creates a key immediately if the table publishes none of the keys in the secret', async () => {
    const lost = await newToken();
    const command = new DeleteCommand({ TableName: process.env.ACCESS_TABLE, Key: publicationKey });
    await database.send(command);
    await expectUsableKeys(keysMaxAgeSeconds);
    expect(await userOfToken(lost, newContext({ after: keysMaxAgeSeconds }))).toBeUndefined();
  });
});

test('signingKey throws Unavailable if there is no key yet', async () => {
  clearSecrets();
  await expect(signingKey(newContext())).rejects.toThrow('There is no signing key yet');
});
