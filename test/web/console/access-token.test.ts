import fc from 'fast-check';
import { generateKeyPair, SignJWT } from 'jose';
import { decodeToken, timeClaim } from '../../../web/console/tokens/access-token.ts';

const { privateKey } = await generateKeyPair('ES256');

function sign(claims: Record<string, unknown>): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' }).sign(privateKey);
}

describe('decodeToken()', () => {
  test('returns the header and the claims, even if they are not in ASCII', async () => {
    const claims = { sub: 'Jörg 🐕 ~~~???', exp: 1_800_000_000 };
    const decoded = decodeToken(await sign(claims));
    expect(decoded).toEqual({ header: { alg: 'ES256', typ: 'at+jwt' }, claims });
    expect(decoded && timeClaim(decoded, 'exp')).toBe(1_800_000_000);
  });

  test.each(['', 'a.b', 'a.b.c', 'e30.e30', 'e30.W10.c2ln', 'e30.%%%.c2ln', 'e30.bnVsbA.c2ln'])(
    'returns undefined for "%s", which is not a token',
    (text) => {
      expect(decodeToken(text)).toBeUndefined();
    },
  );

  test('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void decodeToken(text)));
  });
});
