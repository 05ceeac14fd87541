import { OAuth2Client } from 'google-auth-library';
import {
  type CryptoKey,
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import * as oauth from 'oauth4webapi';
import {
  type ApiResponse,
  basic,
  Client,
  documentOf,
  dogAt,
  type Fields,
  header,
} from '../support/client.ts';
import { keepSecrets } from '../support/secrets.ts';
import { access, expectManners, service, testDogs, testWithTokens } from './support.ts';

const withTokens = testWithTokens('the tests of access tokens');

const { auth_url = '', client_id = '', client_secret = '', refresh_token = '', username, password } = access;
const endpoint = new Client({ ...access, base_url: auth_url }, expectManners);
const tokenPath = '/oauth2/v4/token';
const keysPath = '/.well-known/jwks.json';

type Parameters = Readonly<Record<string, string>>;

/** The four parameters of a valid request. */
const right = { client_id, client_secret, refresh_token, grant_type: 'refresh_token' };
const { client_id: _, client_secret: __, ...grantAlone } = right;

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';

/** Sends a body unchanged, without Authorization unless `fields` contains it. */
function post(type: string, body: string, fields: Fields = {}): Promise<ApiResponse> {
  const headers = { Authorization: '', 'Content-Type': type, ...fields };
  return endpoint.post(tokenPath, Buffer.from(body), headers);
}

type Send = (parameters: Parameters, fields?: Fields) => Promise<ApiResponse>;
const sendForm: Send = (parameters, fields) => post(form, new URLSearchParams(parameters).toString(), fields);
const sendJson: Send = (parameters, fields) => post(json, JSON.stringify(parameters), fields);

interface Token {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
}

function tokenIn(response: ApiResponse): string {
  const { access_token } = documentOf<Token>(response);
  keepSecrets(access_token);
  return access_token;
}

/** Returns a new access token for the user of the suite. */
async function newToken(): Promise<string> {
  const response = await sendForm(right);
  expect(response.status).toBe(200);
  return tokenIn(response);
}

const bearer = (token: string, scheme = 'Bearer') => ({ Authorization: `${scheme} ${token}` });

describe('A client library', () => {
  withTokens('of Google exchanges the refresh token and barks with the access token', async () => {
    const dog = await testDogs.newDog();
    const client = new OAuth2Client({
      clientId: client_id,
      clientSecret: client_secret,
      endpoints: { oauth2TokenUrl: `${auth_url}${tokenPath}` },
    });
    const renewals: object[] = [];
    client.on('tokens', (tokens) => renewals.push(tokens));
    client.setCredentials({ refresh_token });
    const barked = await client.request({ url: service.urlOf(`${dog}barks`), method: 'POST' });
    keepSecrets(client.credentials.access_token ?? '');
    expect(barked.status).toBe(201);
    const shown = await client.request({ url: service.urlOf(dog) });
    expect(shown.data).toMatchObject({ barkCount: 1 });
    expect(renewals).toHaveLength(1);
    expect(client.credentials.refresh_token).toBe(refresh_token);
    expect(client.credentials.expiry_date).toBeGreaterThan(Date.now() + 3_500_000);
  });

  withTokens(
    'that strictly follows the standard exchanges the refresh token, and makes a dog bark with the access token',
    async () => {
      const server = { issuer: auth_url, token_endpoint: `${auth_url}${tokenPath}` };
      const response = await oauth.refreshTokenGrantRequest(
        server,
        { client_id },
        oauth.ClientSecretPost(client_secret),
        refresh_token,
        { [oauth.allowInsecureRequests]: auth_url.startsWith('http:') },
      );
      const token = await oauth.processRefreshTokenResponse(server, { client_id }, response);
      keepSecrets(token.access_token);
      expect(token).toEqual({
        access_token: expect.any(String),
        token_type: 'bearer',
        expires_in: expect.any(Number),
      });
      const dog = await testDogs.newDog();
      const url = new URL(service.urlOf(`${dog}barks`));
      const barked = await oauth.protectedResourceRequest(token.access_token, 'POST', url, undefined, null, {
        [oauth.allowInsecureRequests]: url.protocol === 'http:',
      });
      expect(barked.status).toBe(201);
    },
  );
});

describe.each([
  ['a form', form, sendForm],
  ['JSON', json, sendJson],
])('POST /oauth2/v4/token as %s', (_format, type, send) => {
  withTokens(
    'returns an access token that expires in just under an hour, and no new refresh token',
    async () => {
      const response = await send(right);
      expect(response.status).toBe(200);
      const token = documentOf<Token>(response);
      tokenIn(response);
      expect(token).toEqual({
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        token_type: 'Bearer',
        expires_in: 3599,
      });
      expect(header(response, 'Content-Type')).toMatch(/^application\/json(;|$)/);
      expect(header(response, 'Cache-Control')).toBe('no-store');
      expect(header(response, 'Pragma')).toBe('no-cache');
    },
  );

  withTokens('returns a different valid access token each time, 20 times concurrently', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(right)));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const tokens = responses.map(tokenIn);
    expect(new Set(tokens).size).toBe(20);
    const calls = tokens.map((token) => service.get('/v1/dogs/?limit=1', bearer(token)));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  });

  withTokens('may contain unknown parameters', async () => {
    const response = await send({ ...right, scope: 'bark', redirect_uri: 'https://example.com/', x: '' });
    expect(response.status).toBe(200);
    tokenIn(response);
  });

  withTokens('may name its character set', async () => {
    const response = await send(right, { 'Content-Type': `${type}; charset=UTF-8` });
    expect(response.status).toBe(200);
    tokenIn(response);
  });

  withTokens('may authenticate the client in a Basic header instead', async () => {
    const response = await send(grantAlone, { Authorization: basic(client_id, client_secret) });
    expect(response.status).toBe(200);
    tokenIn(response);
  });

  withTokens.each<[string, Record<string, string | undefined>, number, string]>([
    ...Object.keys(right).flatMap((name): [string, Record<string, string | undefined>, number, string][] => [
      [`without ${name}`, { [name]: undefined }, 400, 'invalid_request'],
      [`with an empty ${name}`, { [name]: '' }, 400, 'invalid_request'],
    ]),
    ['of an unknown client', { client_id: 'no-such-client' }, 401, 'invalid_client'],
    ['with a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['with a truncated secret', { client_secret: client_secret.slice(0, -1) }, 401, 'invalid_client'],
    ['with the password of the user', { client_secret: password }, 401, 'invalid_client'],
    ['with an unknown refresh token', { refresh_token: 'unknown' }, 400, 'invalid_grant'],
    ['with the client secret as the refresh token', { refresh_token: client_secret }, 400, 'invalid_grant'],
    ['for another grant type', { grant_type: 'authorization_code' }, 400, 'unsupported_grant_type'],
    ['for a grant type in capitals', { grant_type: 'Refresh_Token' }, 400, 'unsupported_grant_type'],
    [
      'with every parameter wrong',
      { client_secret: 'x', grant_type: 'x', refresh_token: 'x' },
      401,
      'invalid_client',
    ],
    [
      'with a wrong grant type and a wrong refresh token',
      { grant_type: 'x', refresh_token: 'x' },
      400,
      'unsupported_grant_type',
    ],
    [
      'with every parameter wrong, and one missing',
      { client_secret: 'x', grant_type: undefined },
      400,
      'invalid_request',
    ],
  ])('%s is refused', async (_what, change, status, error) => {
    const parameters = Object.entries({ ...right, ...change }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    );
    const response = await send(Object.fromEntries(parameters));
    expect([response.status, documentOf(response)]).toEqual([status, expect.objectContaining({ error })]);
    expect(header(response, 'x-amzn-Remapped-WWW-Authenticate')).toBe(
      status === 401 ? 'Basic realm="dogs", charset="UTF-8"' : '',
    );
    expect(response.text).not.toContain(client_secret);
  });

  withTokens('returns the same response for an unknown client and for a wrong secret', async () => {
    const responses = await Promise.all([
      send({ ...right, client_id: 'no-such-client' }),
      send({ ...right, client_secret: 'wrong' }),
    ]);
    expect(responses[0]?.text).toBe(responses[1]?.text);
  });

  withTokens.each<[string, Parameters, string, number, string]>([
    ['in both ways', right, basic(client_id, client_secret), 400, 'invalid_request'],
    ['with a wrong secret', grantAlone, basic(client_id, 'wrong'), 401, 'invalid_client'],
    ['as an unknown client', grantAlone, basic('no-such-client', client_secret), 401, 'invalid_client'],
    ['as a user', grantAlone, basic(username, password), 401, 'invalid_client'],
    ['with another scheme', grantAlone, `Bearer ${client_secret}`, 401, 'invalid_client'],
  ])('may not authenticate the client %s', async (_what, parameters, Authorization, status, error) => {
    const response = await send(parameters, { Authorization });
    expect([response.status, documentOf(response)]).toEqual([status, expect.objectContaining({ error })]);
    expect(header(response, 'x-amzn-Remapped-WWW-Authenticate')).toBe(
      status === 401 ? 'Basic realm="dogs", charset="UTF-8"' : '',
    );
  });
});

describe('POST /oauth2/v4/token', () => {
  const rightForm = new URLSearchParams(right).toString();
  const repeated = Object.entries(right).map(([name, value]): [string, string, string, number] => [
    `a form with ${name} twice`,
    form,
    `${rightForm}&${new URLSearchParams({ [name]: value })}`,
    400,
  ]);

  withTokens.each<[string, string, string, number]>([
    ...repeated,
    ['an empty form', form, '', 400],
    ['empty JSON', json, '', 400],
    ['broken JSON', json, '{"client_id":', 400],
    ['JSON that is not an object', json, JSON.stringify([right]), 400],
    ['JSON with a parameter that is not a string', json, JSON.stringify({ ...right, client_secret: 1 }), 400],
    ['JSON with the content type of a form', form, JSON.stringify(right), 400],
    ['a form with the content type of JSON', json, rightForm, 400],
    ['a multipart form', 'multipart/form-data; boundary=x', '--x--', 415],
    ['text', 'text/plain', rightForm, 415],
    ['no content type', '', rightForm, 415],
    ['a form that is too large', form, `${rightForm}&x=${'x'.repeat(65_536)}`, 413],
    ['JSON that is too large', json, JSON.stringify({ ...right, x: 'x'.repeat(65_536) }), 413],
  ])('refuses %s', async (_what, type, body, status) => {
    const response = await post(type, body);
    const error = 'invalid_request';
    expect([response.status, documentOf(response)]).toEqual([status, expect.objectContaining({ error })]);
    if (status === 415)
      expect(header(response, 'Accept-Post').split(', ').sort()).toEqual([json, form].sort());
  });

  withTokens('accepts a trailing slash in its path', async () => {
    const fields = { Authorization: '', 'Content-Type': form };
    const response = await endpoint.post(`${tokenPath}/`, Buffer.from(rightForm), fields);
    expect(response.status).toBe(200);
    tokenIn(response);
  });

  withTokens('ignores the query string', async () => {
    const response = await endpoint.post(`${tokenPath}?${rightForm}`, Buffer.from(''), {
      Authorization: '',
      'Content-Type': form,
    });
    expect([response.status, documentOf(response)]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_request' }),
    ]);
  });

  withTokens.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('refuses %s', async (method) => {
    const response = await endpoint.send(method, tokenPath, { fields: { Authorization: '' } });
    expect([response.status, header(response, 'Allow')]).toEqual([405, 'POST']);
    if (method !== 'HEAD') expect(documentOf(response)).toMatchObject({ error: 'invalid_request' });
  });
});

/** Fetches the public keys without credentials. */
const publishedKeys = () => createRemoteJWKSet(new URL(endpoint.urlOf(keysPath)));

describe('The public keys', () => {
  withTokens('need no credentials, are cacheable and contain nothing private', async () => {
    const response = await endpoint.get(keysPath, { Authorization: '' });
    expect([response.status, header(response, 'Content-Type')]).toEqual([200, 'application/jwk-set+json']);
    const { keys } = documentOf<{ keys: Record<string, unknown>[] }>(response);
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys)
      expect(key).toEqual({
        kty: 'EC',
        crv: 'P-256',
        alg: 'ES256',
        use: 'sig',
        kid: expect.any(String),
        x: expect.any(String),
        y: expect.any(String),
      });
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
  });

  withTokens('verify an access token, which names the user and the client', async () => {
    const token = await newToken();
    const { payload, protectedHeader } = await jwtVerify(token, publishedKeys(), {
      typ: 'at+jwt',
      algorithms: ['ES256'],
      requiredClaims: ['iss', 'aud', 'sub', 'client_id', 'iat', 'exp', 'jti'],
    });
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    expect(payload).toEqual({
      iss: expect.stringMatching(/^(https:\/\/|urn:dogs:)/),
      aud: payload.iss,
      sub: username,
      client_id,
      iat: expect.any(Number),
      exp: expect.any(Number),
      jti: expect.any(String),
    });
    const { iat = 0, exp = 0 } = payload;
    expect(exp - iat).toBeGreaterThanOrEqual(3599);
    expect(exp - iat).toBeLessThanOrEqual(3600);
  });
});

describe('With an access token', () => {
  withTokens('a user has the same dogs as with a password', async () => {
    const token = await newToken();
    const path = testDogs.newPath();
    expect((await service.put(path, { barkEffects: ['count'] }, bearer(token))).status).toBe(201);
    expect((await service.post(`${path}barks`, undefined, bearer(token))).status).toBe(303);
    expect((await service.get(path, bearer(token))).text).toBe((await service.get(path)).text);
    expect(await dogAt(service, path)).toMatchObject({ barkCount: 1 });
  });

  withTokens('an earlier access token stays valid', async () => {
    const former = await newToken();
    await newToken();
    expect((await service.get('/v1/dogs/?limit=1', bearer(former))).status).toBe(200);
  });

  withTokens.each(['Bearer', 'bearer', 'BEARER'])('the scheme %s is accepted', async (scheme) => {
    const response = await service.get('/v1/dogs/?limit=1', bearer(await newToken(), scheme));
    expect(response.status).toBe(200);
  });
});

describe('An access token is refused', () => {
  let token: string;
  let parts: string[];
  let claims: JWTPayload;
  let protectedHeader: JWTHeaderParameters;
  let stranger: CryptoKey;

  beforeAll(async () => {
    if (!auth_url) return;
    token = await newToken();
    parts = token.split('.');
    claims = decodeJwt(token);
    protectedHeader = decodeProtectedHeader(token) as JWTHeaderParameters;
    stranger = (await generateKeyPair('ES256')).privateKey;
  });

  const encoded = (document: object) => Buffer.from(JSON.stringify(document)).toString('base64url');
  const signed = (change: object, headers: object = {}) =>
    new SignJWT({ ...claims, ...change })
      .setProtectedHeader({ ...protectedHeader, ...headers })
      .sign(stranger);

  const bad: [string, () => string | Promise<string>][] = [
    ['that is truncated', () => token.slice(0, -1)],
    ['without a signature', () => parts.slice(0, 2).join('.')],
    ['with an empty signature', () => `${parts.slice(0, 2).join('.')}.`],
    ['with text after it', () => `${token}AAAA`],
    [
      'that was changed',
      () => [parts[0], encoded({ ...claims, exp: Number(claims.exp) + 1 }), parts[2]].join('.'),
    ],
    ['with the signature of an unknown key', () => signed({})],
    ['with the signature and the key ID of an unknown key', () => signed({}, { kid: 'stranger' })],
    ['with the signature of an unknown key and no key ID', () => signed({}, { kid: undefined })],
    [
      'with the signature of a key that its header contains',
      async () => {
        const { privateKey, publicKey } = await generateKeyPair('ES256');
        return new SignJWT(claims)
          .setProtectedHeader({ ...protectedHeader, jwk: await exportJWK(publicKey) })
          .sign(privateKey);
      },
    ],
    [
      'with another audience and the signature of an unknown key',
      () => signed({ aud: 'https://cats.example' }),
    ],
    ['with the algorithm "none"', () => `${encoded({ ...protectedHeader, alg: 'none' })}.${parts[1]}.`],
    [
      'with the algorithm "none" and a signature',
      () => [encoded({ ...protectedHeader, alg: 'none' }), parts[1], parts[2]].join('.'),
    ],
    [
      'with an HMAC that uses the public key as the secret',
      async () => {
        const { keys } = documentOf<{ keys: { x: string }[] }>(await endpoint.get(keysPath));
        const secret = Buffer.from(keys[0]?.x ?? '', 'base64url');
        return new SignJWT(claims).setProtectedHeader({ ...protectedHeader, alg: 'HS256' }).sign(secret);
      },
    ],
    ['that is the user and the password in base64', () => service.authorization.replace('Basic ', '')],
    ['that is the password', () => password],
    ['that is the refresh token', () => refresh_token],
    ['that is the client secret', () => client_secret],
    ['that is empty', () => ''],
    ['that contains two tokens', () => `${token}, ${token}`],
  ];

  withTokens.each(bad)('%s', async (_what, make) => {
    const response = await service.get('/v1/dogs/', bearer(await make()));
    expect([response.status, header(response, 'WWW-Authenticate')]).toEqual([
      401,
      'Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"',
    ]);
  });

  withTokens('as a password', async () => {
    const responses = [
      await service.get('/v1/dogs/', { Authorization: basic(username, token) }),
      await service.get('/v1/dogs/', { Authorization: `Basic ${token}` }),
      await service.get('/v1/dogs/', { Authorization: token }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  withTokens('in a query string or in a form', async () => {
    const dog = await testDogs.newDog();
    const none = { Authorization: '' };
    const access_token = new URLSearchParams({ access_token: token });
    const responses = [
      await service.get(`${dog}?${access_token}`, none),
      await service.post(`${dog}barks`, Buffer.from(access_token.toString()), {
        ...none,
        'Content-Type': form,
      }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([401, 401]);
    expect((await dogAt(service, dog)).barkCount).toBe(0);
  });

  withTokens('after a valid one, and does not invalidate it', async () => {
    for (const [one, status] of [
      [token, 200],
      [`${token}x`, 401],
      [token, 200],
    ] as const)
      expect((await service.get('/v1/dogs/?limit=1', bearer(one))).status).toBe(status);
  });
});
