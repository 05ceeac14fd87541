import { allow, always, header, headers } from '../headers.ts';
import { detailOf } from '../problem-descriptions.ts';
import { gatewayDetailsOf, gatewayTooLarge } from '../responses.ts';
import { documentOf, json } from '../schemas.ts';
import type { OperationDescription, ResponseDescription } from '../types.ts';

/**
 * Describes an error response from the token endpoint. The error codes for 5xx responses come from section 4.1.2.1.
 *
 * @param examples the error code and its description, by example name
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2 RFC 6749 section 5.2}
 */
function tokenError(
  description: string,
  examples: Readonly<Record<string, readonly [code: string, description?: string]>>,
  others: Pick<ResponseDescription, 'headers' | 'gateway'> = {},
): ResponseDescription {
  const values = Object.entries(examples).map(([name, [error, error_description]]) => [
    name,
    { error, ...(error_description !== undefined && { error_description }) },
  ]);
  const isAlways = others.gateway === undefined;
  return {
    description,
    ...others,
    headers: {
      Pragma: isAlways ? header('Pragma') : { ...headers.Pragma, required: false },
      ...others.headers,
    },
    content: json('TokenError', Object.fromEntries(values)),
  };
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

/** The responses to any method if the service fails. */
const failures = {
  500: tokenError(
    'The service failed. The request may have taken effect.',
    { serverError: ['server_error'] },
    { gateway: gatewayDetailsOf(500, 'public') },
  ),
  503: tokenError(
    'The service, or a service that it depends on, is overloaded or unreachable.',
    { unavailable: ['temporarily_unavailable'] },
    { headers: { 'Retry-After': header('Retry-After') }, gateway: gatewayDetailsOf(503, 'public') },
  ),
};

const overridden = { methodOverridden: ['invalid_request', detailOf('method-overridden')] } as const;

/** The responses to methods other than POST. */
export const otherMethodsOfTokens = {
  400: tokenError(
    'The request has an X-HTTP-Method-Override header, or API Gateway does not support the method.',
    overridden,
    { gateway: gatewayDetailsOf(400, 'public') },
  ),
  ...failures,
  405: tokenError(
    'The token endpoint supports only POST.',
    { unsupportedMethod: ['invalid_request', 'The token endpoint supports only POST.'] },
    { headers: { Allow: allow } },
  ),
};

export const tokenOperations = {
  IssueToken: {
    tag: 'Tokens',
    description:
      'Issues an access token in exchange for a refresh token (RFC 6749 section 6). The client sends its ID and its secret in the body, or in an `Authorization` header with the Basic scheme. A refresh token never expires, is never replaced, and can be used any number of times. The errors of this operation, and the 405 response to other methods, use the format that RFC 6749 defines. Only errors that API Gateway itself generates are problem documents.',
    requestBody: {
      description:
        'The refresh token and the credentials of the client. The service ignores unknown parameters.',
      required: true,
      content: Object.fromEntries(
        // The form is last: openapi-python-client sends it as the body, but always uses the last type as Content-Type.
        ['application/json', 'application/x-www-form-urlencoded'].map((type) => [
          type,
          documentOf('TokenRequest', { refreshToken: request }),
        ]),
      ),
    },
    responses: {
      200: {
        description: 'The access token. Send it in the header `Authorization: Bearer <token>`.',
        headers: { Pragma: header('Pragma') },
        content: json('Token', {
          token: {
            access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl',
            token_type: 'Bearer',
            expires_in: 3599,
          },
        }),
      },
      400: tokenError('The request or the refresh token is invalid.', {
        ...overridden,
        invalidRequest: ['invalid_request', 'The parameter refresh_token is missing.'],
        unsupportedGrantType: ['unsupported_grant_type', 'The grant_type must be refresh_token.'],
        invalidGrant: [
          'invalid_grant',
          'The refresh token is unknown or revoked, or belongs to another client.',
        ],
      }),
      401: tokenError(
        'The client is unknown, or its secret is wrong.',
        { invalidClient: ['invalid_client', 'The client is unknown, or its secret is wrong.'] },
        {
          headers: { 'x-amzn-Remapped-WWW-Authenticate': header('x-amzn-Remapped-WWW-Authenticate') },
        },
      ),
      413: tokenError(`The request is too large. ${gatewayTooLarge}`, {
        tooLarge: ['invalid_request', detailOf('body-too-large')],
      }),
      415: tokenError(
        'The Content-Type is neither application/x-www-form-urlencoded nor application/json, or the body does not have the coding in Content-Encoding.',
        {
          unsupportedType: [
            'invalid_request',
            'The request body must be a form or JSON. Send it with Content-Type: application/x-www-form-urlencoded or application/json.',
          ],
        },
        { headers: { 'Accept-Post': header('Accept-Post') }, gateway: gatewayDetailsOf(415, 'public') },
      ),
      ...failures,
    },
  },
  GetKeys: {
    tag: 'Tokens',
    description: 'Returns the public keys for verifying access tokens. The request needs no credentials.',
    responses: {
      200: {
        description: 'The keys.',
        headers: {
          'Cache-Control': always(
            'Caches may store the keys for this number of seconds.',
            'public, max-age=60',
            { pattern: '^public, max-age=[0-9]+$' },
          ),
        },
        content: { 'application/jwk-set+json': documentOf('KeySet', { keys: { keys: [publicKey] } }) },
      },
    },
  },
} as const satisfies Record<string, OperationDescription>;
