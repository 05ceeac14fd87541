import { allow, cacheControl, header, headers } from '../headers.ts';
import { answer, common, errorTypeOf } from '../responses.ts';
import { documentOf } from '../schemas.ts';
import type { Described, Header, Reference, Response } from '../types.ts';

const noStore = { Pragma: header('Pragma') };

/**
 * Returns an error response of the token endpoint. A 5xx has the error codes of the authorization endpoint, because the
 * token endpoint has none.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2 RFC 6749 section 5.2}
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 RFC 6749 section 4.1.2.1}
 */
function tokenError(
  description: string,
  examples: Readonly<Record<string, readonly [code: string, description?: string]>>,
  others: Readonly<Record<string, Header | Reference>> = {},
): Response {
  const values = Object.entries(examples).map(([name, [error, error_description]]) => [
    name,
    { error, ...(error_description !== undefined && { error_description }) },
  ]);
  const content = { 'application/json': documentOf('TokenError', Object.fromEntries(values)) };
  return answer(description, { headers: { ...noStore, ...others }, content });
}

/** Returns an error response with the alternative that API Gateway responds with itself: a problem, as for all other routes. */
function orProblem(status: number, response: Response): Response {
  const { description, content } = response;
  return answer(description, {
    headers: {
      ...response.headers,
      ...errorTypeOf(status),
      Pragma: { ...headers.Pragma, required: false },
    },
    content: { ...content, ...common(status).content },
  });
}

const request = {
  grant_type: 'refresh_token',
  client_id: 'walker',
  client_secret: 'lXkS9nq0mX2v7Zr3',
  refresh_token: 'pQ4t8Wc1yB6u0Ke5',
};

const publicKey = {
  kty: 'EC',
  crv: 'P-256',
  alg: 'ES256',
  use: 'sig',
  kid: '01M7XTJQRGHZ3MM2X05VM3ARQN',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

/** The responses to methods other than POST. */
export const otherMethodsOfTokens = {
  405: tokenError(
    'Tokens are asked for with POST',
    { method: ['invalid_request', 'Tokens are asked for with POST.'] },
    { Allow: allow },
  ),
};

export const tokenOperations = {
  IssueToken: {
    description:
      'RFC 6749 section 6. The client proves itself in the body, or by its id and secret in a Basic header. A refresh token never expires, may be used any number of times, and is never replaced. Another method than POST is answered with 405 and an `error`, as every failure here is.',
    requestBody: {
      required: true,
      content: Object.fromEntries(
        ['application/x-www-form-urlencoded', 'application/json'].map((type) => [
          type,
          documentOf('TokenRequest', { refresh: request }),
        ]),
      ),
    },
    responses: {
      200: answer('An access token; call with it as `Authorization: Bearer`', {
        headers: noStore,
        content: {
          'application/json': documentOf('Token', {
            token: {
              access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl',
              token_type: 'Bearer',
              expires_in: 3599,
            },
          }),
        },
      }),
      400: tokenError('The request is wrong, or the refresh token', {
        request: ['invalid_request', 'The parameter refresh_token is missing.'],
        grantType: ['unsupported_grant_type', 'The grant_type must be refresh_token.'],
        grant: ['invalid_grant', 'The refresh token is unknown or revoked, or is not of this client.'],
      }),
      401: tokenError(
        'The client is unknown, or its secret is wrong',
        { client: ['invalid_client', 'There is no such client, or its secret is another.'] },
        { 'x-amzn-Remapped-WWW-Authenticate': header('x-amzn-Remapped-WWW-Authenticate') },
      ),
      413: orProblem(
        413,
        tokenError('The request is too large', {
          request: ['invalid_request', 'The body has 70000 bytes; 65536 are allowed.'],
        }),
      ),
      415: tokenError(
        'The body is neither a form nor JSON by its type',
        {
          request: [
            'invalid_request',
            'The body must be a form, with Content-Type: application/x-www-form-urlencoded, or JSON, with application/json.',
          ],
        },
        { 'Accept-Post': header('Accept-Post') },
      ),
      500: orProblem(500, tokenError('The service failed', { unforeseen: ['server_error'] })),
      503: orProblem(
        503,
        tokenError(
          'A part that is needed is overloaded or out of reach',
          { unavailable: ['temporarily_unavailable'] },
          { 'Retry-After': header('Retry-After') },
        ),
      ),
    },
  },
  GetKeys: {
    description: 'With these anybody can verify an access token of this service.',
    responses: {
      200: answer('The keys', {
        headers: { 'Cache-Control': cacheControl('^public, max-age=[0-9]+$', 'How long they may be kept') },
        content: { 'application/jwk-set+json': documentOf('KeySet', { keys: { keys: [publicKey] } }) },
      }),
    },
  },
} as const satisfies Record<string, Described>;
