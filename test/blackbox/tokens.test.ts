import { createRemoteJWKSet, jwtVerify } from 'jose';
import { type ApiResponse, Client, documentOf, type Fields, header } from '../support/client.ts';
import { keepSecrets } from '../support/secrets.ts';
import { access, check, service, testWithTokens } from './support.ts';

const withTokens = testWithTokens('the tests of access tokens');

const { auth_url = '', client_id = '', client_secret = '', refresh_token = '', username } = access;
const endpoint = new Client({ ...access, base_url: auth_url }, check);
const tokenPath = '/oauth2/v4/token';
const keysPath = '/.well-known/jwks.json';
const form = 'application/x-www-form-urlencoded';

const right = { client_id, client_secret, refresh_token, grant_type: 'refresh_token' };
const rightForm = new URLSearchParams(right).toString();

/** Sends a body to the token endpoint unchanged, without Authorization unless `fields` contains it. */
function post(body: string, fields: Fields = {}, path = tokenPath): Promise<ApiResponse> {
  return endpoint.post(path, Buffer.from(body), { Authorization: '', 'Content-Type': form, ...fields });
}

interface Token {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
}

function tokenIn(response: ApiResponse): string {
  expect(response.status).toBe(200);
  const { access_token } = documentOf<Token>(response);
  keepSecrets(access_token);
  return access_token;
}

const newToken = async () => tokenIn(await post(rightForm));

// The tests of the functions check the other rules of the token endpoint, in test/lambdas/http/oauth.test.ts.
describe('POST /oauth2/v4/token', () => {
  withTokens.each<[string, () => Promise<ApiResponse>]>([
    ['a form', () => post(rightForm)],
    ['JSON', () => post(JSON.stringify(right), { 'Content-Type': 'application/json; charset=UTF-8' })],
    ['a trailing slash in its path', () => post(rightForm, {}, `${tokenPath}/`)],
  ])('returns an access token, and no new refresh token, for %s', async (_, send) => {
    const response = await send();
    tokenIn(response);
    expect(documentOf(response)).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3599,
    });
    expect(header(response, 'Content-Type')).toMatch(/^application\/json(;|$)/);
    expect([header(response, 'Cache-Control'), header(response, 'Pragma')]).toEqual(['no-store', 'no-cache']);
  });

  withTokens.each<[number, string, string, () => Promise<ApiResponse>]>([
    [401, 'invalid_client', 'a wrong secret', () => post(rightForm.replace(client_secret, 'wrong'))],
    [405, 'invalid_request', 'another method', () => endpoint.get(tokenPath, { Authorization: '' })],
    [415, 'invalid_request', 'text', () => post(rightForm, { 'Content-Type': 'text/plain' })],
  ])('returns %i and %s for %s', async (status, error, _what, send) => {
    const response = await send();
    expect([response.status, documentOf(response)]).toEqual([status, expect.objectContaining({ error })]);
    expect(header(response, 'Pragma')).toBe('no-cache');
    expect(response.text).not.toContain(client_secret);
    expect(header(response, 'x-amzn-Remapped-WWW-Authenticate')).toBe(
      status === 401 ? 'Basic realm="dogs", charset="UTF-8"' : '',
    );
  });
});

withTokens('The public keys verify an access token, which names the user and the client', async () => {
  const keys = createRemoteJWKSet(new URL(endpoint.urlOf(keysPath)));
  const { payload } = await jwtVerify(await newToken(), keys, {
    typ: 'at+jwt',
    algorithms: ['ES256'],
    requiredClaims: ['iss', 'aud', 'sub', 'client_id', 'iat', 'exp', 'jti'],
  });
  expect(payload).toMatchObject({ aud: payload.iss, sub: username, client_id });
  expect(payload.iss).toMatch(/^(https:\/\/|urn:dogs:)/);
});

withTokens('An access token in a query string is refused', async () => {
  const query = new URLSearchParams({ access_token: await newToken() });
  expect((await service.get(`/v1/dogs/?${query}`, { Authorization: '' })).status).toBe(401);
});
