import { isUtf8 } from 'node:buffer';
import { InvalidClient, InvalidGrant, Unavailable, UnsupportedGrantType } from '../domain/platform/errors.ts';
import type { TokenRequest } from '../domain/tokens/issue.ts';
import { basicCredentials } from './basic-auth.ts';
import type { ErrorResponse } from './endpoint.ts';
import { mediaTypeOf } from './header.ts';
import { parseBody } from './json-body.ts';
import { Problem } from './problem.ts';
import type { Request } from './request.ts';

/** `invalid_request`: https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';
}

/**
 * @throws InvalidRequest if a parameter or the client credentials are missing, malformed or sent twice
 * @throws InvalidClient if the request has an Authorization header without Basic credentials
 * @throws Problem 400 for invalid JSON, 405 for a method other than POST, 413 or 415 for the body
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-6 RFC 6749 section 6}
 */
export function tokenRequestOf(request: Request): TokenRequest {
  if (request.method !== 'POST')
    throw new Problem('method-not-allowed', 'The token endpoint supports only POST.', {
      headers: { Allow: 'POST' },
    });
  const parameters = parametersOf(request);
  const client = clientOf(request, parameters);
  const grantType = required(parameters, 'grant_type');
  const refreshToken =
    grantType === 'refresh_token'
      ? required(parameters, 'refresh_token')
      : (parameters.get('refresh_token') ?? '');
  return { ...client, grantType, refreshToken };
}

const names = ['client_id', 'client_secret', 'grant_type', 'refresh_token'] as const;
type Parameters = ReadonlyMap<string, string>;

/** An empty parameter counts as absent: https://www.rfc-editor.org/rfc/rfc6749#section-3.2 */
function parametersOf(request: Request): Parameters {
  const bytes = request.bytes();
  switch (mediaTypeOf(request.header('Content-Type'))) {
    case 'application/x-www-form-urlencoded':
      // https://www.rfc-editor.org/rfc/rfc6749#appendix-B
      if (!isUtf8(bytes))
        throw new InvalidRequest('The request body is not encoded in UTF-8. Send a form in UTF-8.');
      return formParameters(new URLSearchParams(bytes.toString('utf8')));
    case 'application/json':
      return jsonParameters(parseBody(bytes));
    default:
      throw new Problem(
        'unsupported-media-type',
        'The request body must be a form or JSON. Send it with Content-Type: application/x-www-form-urlencoded or application/json.',
        { headers: { 'Accept-Post': 'application/x-www-form-urlencoded, application/json' } },
      );
  }
}

function formParameters(form: URLSearchParams): Parameters {
  const repeated = names.find((name) => form.getAll(name).length > 1);
  if (repeated)
    throw new InvalidRequest(`The request has the parameter ${repeated} more than once. Send it once.`);
  return new Map([...form].filter(([, value]) => value !== ''));
}

function jsonParameters(document: unknown): Parameters {
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new InvalidRequest('The request body must be a JSON object.');
  const members = Object.entries(document).filter(([name]) => names.some((known) => known === name));
  const [wrong] = members.find(([, value]) => typeof value !== 'string') ?? [];
  if (wrong !== undefined) throw new InvalidRequest(`The parameter ${wrong} must be a string.`);
  return new Map(members.filter(([, value]) => value !== ''));
}

function required(parameters: Parameters, name: (typeof names)[number]): string {
  const value = parameters.get(name);
  if (value === undefined) throw new InvalidRequest(`The parameter ${name} is missing.`);
  return value;
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 RFC 6749 section 2.3.1} */
function clientOf(request: Request, parameters: Parameters): Pick<TokenRequest, 'clientId' | 'clientSecret'> {
  const authorization = request.header('Authorization');
  if (authorization === undefined)
    return {
      clientId: required(parameters, 'client_id'),
      clientSecret: required(parameters, 'client_secret'),
    };
  const client = basicClient(authorization);
  const clientId = parameters.get('client_id') ?? client.clientId;
  if (parameters.has('client_secret') || clientId !== client.clientId)
    throw new InvalidRequest(
      'The request has client credentials in the Authorization header and in the body. Send them in only one of these places.',
    );
  return client;
}

function basicClient(authorization: string): Pick<TokenRequest, 'clientId' | 'clientSecret'> {
  const credentials = basicCredentials(authorization);
  if (!credentials)
    throw new InvalidClient(
      'The Authorization header does not have Basic credentials. Send client_id and client_secret as Basic credentials or in the body.',
    );
  const { userId, password } = credentials;
  if (password === undefined)
    throw new InvalidRequest(
      'The Basic credentials have no colon. Send client_id:client_secret, encoded as Base64.',
    );
  return { clientId: formDecoded(userId), clientSecret: formDecoded(password) };
}

function formDecoded(text: string): string {
  return new URLSearchParams(`value=${text.replaceAll('&', '%26')}`).get('value') ?? '';
}

/**
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2 RFC 6749 section 5.2} for 4xx responses
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 RFC 6749 section 4.1.2.1} for 5xx responses
 */
export const oauthErrorResponse: ErrorResponse = (error) => {
  const { status, code, headers } = oauthError(error);
  return {
    status,
    headers: { ...noStore, ...headers },
    body: { error: code, ...(status < 500 && { error_description: described(error) }) },
  };
};

export const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

interface OAuthError {
  readonly status: number;
  readonly code: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function oauthError(error: unknown): OAuthError {
  if (error instanceof Problem)
    return { status: error.status, code: 'invalid_request', headers: error.headers };
  if (error instanceof InvalidRequest) return { status: 400, code: 'invalid_request' };
  if (error instanceof InvalidClient)
    return {
      status: 401,
      code: 'invalid_client',
      headers: { 'WWW-Authenticate': 'Basic realm="dogs", charset="UTF-8"' },
    };
  if (error instanceof UnsupportedGrantType) return { status: 400, code: 'unsupported_grant_type' };
  if (error instanceof InvalidGrant) return { status: 400, code: 'invalid_grant' };
  if (error instanceof Unavailable)
    return { status: 503, code: 'temporarily_unavailable', headers: { 'Retry-After': '1' } };
  return { status: 500, code: 'server_error' };
}

/** `error_description` must not contain the characters that `'` replaces here. */
function described(error: unknown): string {
  return (error as Error).message.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'");
}
