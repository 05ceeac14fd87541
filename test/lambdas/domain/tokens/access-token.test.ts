import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import { NotYet, Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import {
  signAccessToken,
  tokenLifetimeSeconds,
  userOfToken,
} from '../../../../lambdas/domain/tokens/access-token.ts';
import { keysMaxAgeSeconds, readPublishedKeys } from '../../../../lambdas/domain/tokens/published-keys.ts';
import { ensureKey, replaceKey, signingKey } from '../../../../lambdas/domain/tokens/signing-keys.ts';
import { useDatabase } from '../../../support/database.ts';
import { calls, clearSecrets, injectFaults, plan, reset } from '../../../support/faults.ts';

useDatabase();
beforeAll(injectFaults);
beforeEach(reset);

/** Each test has a day of its own, later than the tests before it, because the functions cache the keys. */
let now = Date.UTC(2026, 10, 21, 12);
beforeEach(() => {
  now += 24 * 3_600_000;
});

function newContext({ after = 0, milliseconds = 8_000 } = {}) {
  return { now: now + after * 1000, signal: AbortSignal.timeout(milliseconds) };
}

const subject = { user: 'jane', client: 'walker' };
const issuer = 'urn:dogs:000000000000:us-east-1:test';

async function newToken({ after = 0 } = {}): Promise<string> {
  await ensureKey(() => newContext({ after }));
  return signAccessToken(subject, await signingKey(newContext({ after })), newContext({ after }));
}

function partsOf(token: string): [header: Record<string, unknown>, payload: JWTPayload] {
  const [header = '', payload = ''] = token.split('.');
  return [header, payload].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString())) as never;
}

describe('signAccessToken', () => {
  test('returns a JWT that conforms to RFC 9068', async () => {
    const [header, payload] = partsOf(await newToken());
    expect(header).toEqual({ typ: 'at+jwt', alg: 'ES256', kid: expect.stringMatching(/^[0-9A-Z]{26}$/) });
    expect(payload).toEqual({
      iss: issuer,
      aud: issuer,
      sub: 'jane',
      client_id: 'walker',
      iat: now / 1000,
      exp: now / 1000 + tokenLifetimeSeconds,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });
});

describe('userOfToken', () => {
  test('returns the user of a token until the token expires', async () => {
    const token = await newToken();
    expect(await userOfToken(token, newContext())).toBe('jane');
    expect(await userOfToken(token, newContext({ after: tokenLifetimeSeconds - 1 }))).toBe('jane');
    expect(await userOfToken(token, newContext({ after: tokenLifetimeSeconds }))).toBeUndefined();
  });

  test('makes no AWS call while the keys are cached', async () => {
    const token = await newToken();
    await userOfToken(token, newContext());
    reset();
    for (let i = 0; i < 10; i++) await userOfToken(token, newContext({ after: i }));
    expect(calls()).toEqual([]);
  });
});

describe('userOfToken, for a forged token,', () => {
  const forged = async (header: Record<string, unknown> = {}, claims: Record<string, unknown> = {}) => {
    const key = await signingKey(newContext());
    const defaults = { iss: issuer, aud: issuer, sub: 'jane', client_id: 'walker', exp: now / 1000 + 60 };
    return new SignJWT({ ...defaults, ...claims })
      .setProtectedHeader({ typ: 'at+jwt', alg: 'ES256', kid: key.kid, ...header })
      .sign(key);
  };

  beforeEach(() => ensureKey(newContext));

  test('returns the user if the token has the right key and claims', async () => {
    expect(await userOfToken(await forged(), newContext())).toBe('jane');
  });

  test.each<[string, () => Promise<string> | string]>([
    ['an empty text', () => ''],
    ['a word', () => 'token'],
    ['three parts that are not JSON', () => 'a.b.c'],
    ['a truncated token', async () => (await forged()).slice(0, -3)],
    ['a token without its signature', async () => (await forged()).replace(/[^.]+$/, '')],
    [
      'a token with another payload',
      async () => {
        const [header, , signature] = (await forged()).split('.');
        const payload = Buffer.from(JSON.stringify({ sub: 'max', exp: 9e9 })).toString('base64url');
        return `${header}.${payload}.${signature}`;
      },
    ],
    [
      'a token with alg none',
      async () => {
        const [, payload] = (await forged()).split('.');
        return `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`;
      },
    ],
    ['a token of another audience', () => forged({}, { aud: 'urn:dogs:other' })],
    ['a token of another issuer', () => forged({}, { iss: 'urn:dogs:other' })],
    ['a token without exp', () => forged({}, { exp: undefined })],
    ['a token without sub', () => forged({}, { sub: undefined })],
    ['a token that is not valid yet', () => forged({}, { nbf: now / 1000 + 60 })],
    ['a JWT of another type', () => forged({ typ: 'JWT' })],
    ['a token without kid', () => forged({ kid: undefined })],
    ['a token with an unknown kid', () => forged({ kid: 'other' })],
    [
      'a token of another key with a known kid',
      async () => {
        const { privateKey } = await generateKeyPair('ES256');
        const { kid } = await signingKey(newContext());
        return new SignJWT({
          iss: issuer,
          aud: issuer,
          sub: 'jane',
          client_id: 'walker',
          exp: now / 1000 + 60,
        })
          .setProtectedHeader({ typ: 'at+jwt', alg: 'ES256', kid })
          .sign(privateKey);
      },
    ],
    [
      'a token that is signed with the public key as a secret',
      async () => {
        const [key] = await readPublishedKeys(newContext());
        return new SignJWT({
          iss: issuer,
          aud: issuer,
          sub: 'jane',
          client_id: 'walker',
          exp: now / 1000 + 60,
        })
          .setProtectedHeader({ typ: 'at+jwt', alg: 'HS256', kid: key?.kid ?? '' })
          .sign(Buffer.from(JSON.stringify(key)));
      },
    ],
  ])('returns undefined for %s', async (_, token) => {
    expect(await userOfToken(await token(), newContext())).toBeUndefined();
  });
});

describe('replaceKey', () => {
  test('publishes no private members', async () => {
    await replaceKey(newContext());
    for (const key of await readPublishedKeys(newContext())) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
      expect(key).toMatchObject({ alg: 'ES256', use: 'sig' });
    }
  });

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
    // The function has cached the old key, and must forget it.
    expect(await userOfToken(during, gone)).toBeUndefined();
  });

  test('makes functions forget a key that is no longer published, even if they have cached it', async () => {
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

  test('makes functions read the keys again for an unknown kid, at most every ten seconds', async () => {
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

  test('throws NotYet while another replacement is in progress', async () => {
    await newToken();
    let refusal: unknown;
    plan('PutSecretValue', () => replaceKey(newContext()).catch((error) => (refusal = error)));
    await replaceKey(newContext());
    expect(refusal).toBeInstanceOf(NotYet);
    // A day later, the new key still signs and is published.
    const token = await newToken({ after: 24 * 3_600 - 3_600 });
    expect(await userOfToken(token, newContext({ after: 24 * 3_600 - 3_600 }))).toBe('jane');
  });

  test('leaves a key that signs if it runs twice within a minute', async () => {
    await newToken();
    await replaceKey(newContext());
    await replaceKey(newContext({ after: 1 }));
    for (const after of [2, keysMaxAgeSeconds, 3 * keysMaxAgeSeconds]) {
      const token = await newToken({ after });
      expect(await userOfToken(token, newContext({ after }))).toBe('jane');
    }
  });

  test.each([
    ['GetItem', 1],
    ['GetSecretValue', 1],
    ['PutItem', 1],
    ['PutItem', 2],
    ['PutSecretValue', 1],
  ])('leaves a key that signs, and can run again, if it fails at %s %i', async (operation, nth) => {
    await newToken();
    if (nth === 2) plan(operation, async () => plan(operation, 'hangs'));
    else plan(operation, 'hangs');
    await expect(replaceKey(newContext({ milliseconds: 150 }))).rejects.toThrow(Unavailable);
    reset();
    for (const after of [0, 3 * keysMaxAgeSeconds, 3 * tokenLifetimeSeconds]) {
      const token = await newToken({ after });
      expect(await userOfToken(token, newContext({ after }))).toBe('jane');
    }
    const { kid } = await replaceKey(newContext({ after: 4 * tokenLifetimeSeconds }));
    expect(partsOf(await newToken({ after: 5 * tokenLifetimeSeconds }))[0].kid).toBe(kid);
  });
});

describe('userOfToken and signingKey', () => {
  test('throw Unavailable during an outage, and read the keys at the next call', async () => {
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
});

describe('ensureKey', () => {
  test('waits for another process that creates the first key', async () => {
    clearSecrets();
    plan('PutSecretValue', 'hangs');
    await expect(replaceKey(newContext({ milliseconds: 100 }))).rejects.toThrow(Unavailable);
    reset();
    let after = 13;
    await ensureKey(() => newContext({ after: after++ }));
    expect(calls().filter((name) => name === 'PutSecretValue')).toHaveLength(1);
    const token = await newToken({ after });
    expect(await userOfToken(token, newContext({ after }))).toBe('jane');
  });

  test('creates a key at once if the table publishes none of the keys in the secret', async () => {
    const lost = await newToken();
    const command = new DeleteCommand({ TableName: process.env.ACCESS_TABLE, Key: { pk: 'j#keys' } });
    await database.send(command);
    const token = await newToken({ after: keysMaxAgeSeconds });
    expect(await userOfToken(token, newContext({ after: keysMaxAgeSeconds }))).toBe('jane');
    expect(await userOfToken(lost, newContext({ after: keysMaxAgeSeconds }))).toBeUndefined();
  });
});

describe('signingKey', () => {
  test('throws Unavailable if there is no key yet', async () => {
    clearSecrets();
    await expect(signingKey(newContext())).rejects.toThrow('There is no signing key yet');
  });
});
