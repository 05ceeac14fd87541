import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { tokenLifetimeSeconds, userOfToken } from '../../../../lambdas/domain/tokens/access-token.ts';
import { readPublishedKeys } from '../../../../lambdas/domain/tokens/published-keys.ts';
import { ensureKey, signingKey } from '../../../../lambdas/domain/tokens/signing-keys.ts';
import { calls, reset } from '../../../support/faults.ts';
import { issuer, newContext, newToken, now, partsOf, useTokens } from '../../../support/tokens.ts';

useTokens();

test('signAccessToken returns a JWT that conforms to RFC 9068', async () => {
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
  const right = () => ({ iss: issuer, aud: issuer, sub: 'jane', client_id: 'walker', exp: now / 1000 + 60 });

  /** Signs a token with the service's key, or with another key. Its claims and header are right, except for the given ones. */
  async function forged({
    claims = {},
    header = {},
    key,
  }: {
    claims?: JWTPayload;
    header?: Record<string, unknown>;
    key?: CryptoKey | Uint8Array;
  } = {}) {
    const own = await signingKey(newContext());
    return new SignJWT({ ...right(), ...claims })
      .setProtectedHeader({ typ: 'at+jwt', alg: 'ES256', kid: own.kid, ...header })
      .sign(key ?? own);
  }

  async function withParts(change: (parts: string[]) => (string | undefined)[]): Promise<string> {
    return change((await forged()).split('.')).join('.');
  }

  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const strangerKey = async () => (await generateKeyPair('ES256')).privateKey;

  beforeEach(() => ensureKey(newContext));

  test('returns the user if the token has the right key and claims', async () => {
    expect(await userOfToken(await forged(), newContext())).toBe('jane');
  });

  test.each<[string, () => Promise<string> | string]>([
    ['an empty string', () => ''],
    ['three parts that are not JSON', () => 'a.b.c'],
    [
      'a token with another payload',
      () => withParts(([header, , signature]) => [header, encoded({ ...right(), sub: 'max' }), signature]),
    ],
    [
      'a token with alg none',
      () => withParts(([, payload]) => [encoded({ alg: 'none', typ: 'at+jwt' }), payload, '']),
    ],
    ['a token of another audience', () => forged({ claims: { aud: 'urn:dogs:other' } })],
    ['a token of another issuer', () => forged({ claims: { iss: 'urn:dogs:other' } })],
    ...['exp', 'sub', 'client_id'].map((name): [string, () => Promise<string>] => [
      `a token without ${name}`,
      () => forged({ claims: { [name]: undefined } }),
    ]),
    ['a JWT of another type', () => forged({ header: { typ: 'JWT' } })],
    ['a token without kid', () => forged({ header: { kid: undefined } })],
    ['a token with an unknown kid', () => forged({ header: { kid: 'other' } })],
    ['a token of another key with a known kid', async () => forged({ key: await strangerKey() })],
    [
      'a token that is signed with a key that its header contains',
      async () => {
        const { privateKey, publicKey } = await generateKeyPair('ES256');
        return forged({ key: privateKey, header: { jwk: await exportJWK(publicKey) } });
      },
    ],
    [
      'a token that is signed with the public key as a secret',
      async () => {
        const [key] = await readPublishedKeys(newContext());
        return forged({ key: Buffer.from(JSON.stringify(key)), header: { alg: 'HS256' } });
      },
    ],
  ])('returns undefined for %s', async (_, token) => {
    expect(await userOfToken(await token(), newContext())).toBeUndefined();
  });
});
