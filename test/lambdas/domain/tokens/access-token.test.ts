import { generateKeyPair, SignJWT } from 'jose';
import { tokenLifetimeSeconds, userOfToken } from '../../../../lambdas/domain/tokens/access-token.ts';
import { readPublishedKeys } from '../../../../lambdas/domain/tokens/published-keys.ts';
import { ensureKey, signingKey } from '../../../../lambdas/domain/tokens/signing-keys.ts';
import { calls, reset } from '../../../support/faults.ts';
import { issuer, newContext, newToken, now, partsOf, useTokens } from '../../../support/tokens.ts';

useTokens();

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
    ['an empty string', () => ''],
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
