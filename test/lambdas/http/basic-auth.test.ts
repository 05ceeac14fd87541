import { basicCredentials } from '../../../lambdas/http/basic-auth.ts';

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

describe('basicCredentials', () => {
  test.each([
    ['Basic', 'jane:secret', { userId: 'jane', password: 'secret' }],
    ['bASIC', 'jane:secret', { userId: 'jane', password: 'secret' }],
    ['Basic  ', 'jane:se:cret:', { userId: 'jane', password: 'se:cret:' }],
    ['Basic', 'jané:sécret', { userId: 'jané', password: 'sécret' }],
    ['Basic', ':secret', { userId: '', password: 'secret' }],
    ['Basic', 'jane:', { userId: 'jane', password: '' }],
    ['Basic', 'jane', { userId: 'jane', password: undefined }],
    ['Basic', 'a:line\nand:another', { userId: 'a', password: 'line\nand:another' }],
  ])('reads the scheme %s with the credentials %j', (scheme, text, credentials) => {
    expect(basicCredentials(`${scheme} ${base64(text)}`)).toEqual(credentials);
  });

  test.each([
    '',
    'Basic',
    'Basic ',
    'Basic =',
    'Basic ***',
    `Basic ${base64('a:b')} x`,
    `Bearer ${base64('a:b')}`,
    `XBasic ${base64('a:b')}`,
  ])('returns undefined for "%s"', (authorization) => {
    expect(basicCredentials(authorization)).toBeUndefined();
  });
});
