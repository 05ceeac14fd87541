import {
  InvalidClient,
  InvalidGrant,
  Unavailable,
  UnsupportedGrantType,
} from '../../../lambdas/domain/platform/errors.ts';
import { InvalidRequest, oauthErrorResponse, tokenRequestOf } from '../../../lambdas/http/oauth.ts';
import { Problem } from '../../../lambdas/http/problem.ts';
import { requestOf } from '../../../lambdas/http/request.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';

const form = 'application/x-www-form-urlencoded';
const parameters = {
  client_id: 'walker',
  client_secret: 'se:cret',
  grant_type: 'refresh_token',
  refresh_token: 'r',
};
const { client_id: _, client_secret: __, ...withoutClient } = parameters;

type Changes = Readonly<Record<string, unknown>>;
const json = (changes: Changes = {}, all: Changes = parameters) => JSON.stringify({ ...all, ...changes });
const formOf = (all: Readonly<Record<string, string>>) => new URLSearchParams(all).toString();
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

function tokenRequest(body: string, fields: Record<string, string> = {}, more: object = {}) {
  const headers = { 'Content-Type': 'application/json', ...fields };
  const multiValueHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  );
  const event = { ...sampleEvent('IssueToken'), body, multiValueHeaders, ...more };
  return tokenRequestOf(requestOf(event, undefined, context(), new AbortController().signal));
}

const expected = {
  clientId: 'walker',
  clientSecret: 'se:cret',
  grantType: 'refresh_token',
  refreshToken: 'r',
};

describe('tokenRequestOf', () => {
  const encoded = Buffer.from(formOf(parameters)).toString('base64');
  const inHeader = { Authorization: basic('walker:se:cret') };

  test.each<[string, string, Record<string, string>?, object?]>([
    ['JSON with other members', json({ scope: ['x'], expires: 1 })],
    [
      'a form with other parameters',
      formOf({ ...parameters, scope: 'x', extra: '' }),
      { 'Content-Type': form },
    ],
    ['a form in Base64', encoded, { 'Content-Type': `${form}; charset=UTF-8` }, { isBase64Encoded: true }],
    ['the same client_id in the header and the body', json({ client_id: 'walker' }, withoutClient), inHeader],
    [
      'client credentials with the percent-encoding of RFC 6749',
      json({}, withoutClient),
      { Authorization: basic('%77alker:se%3Acret') },
    ],
  ])('reads %s', (_, ...request) => {
    expect(tokenRequest(...request)).toEqual(expected);
  });

  test('keeps an ampersand in the credentials of the header', () => {
    const request = tokenRequest(json({}, withoutClient), { Authorization: basic('a&b:c&d') });
    expect(request).toMatchObject({ clientId: 'a&b', clientSecret: 'c&d' });
  });

  test('accepts another grant type with or without a refresh token', () => {
    expect(tokenRequest(json({ grant_type: 'password' })).refreshToken).toBe('r');
    expect(tokenRequest(json({ grant_type: 'password', refresh_token: undefined })).refreshToken).toBe('');
  });

  const twice =
    'The request has client credentials in the Authorization header and in the body. Send them in only one of these places.';
  const missing = (name: string) => `The parameter ${name} is missing.`;
  const repeated = (name: string) => `The request has the parameter ${name} more than once. Send it once.`;
  test.each<[string, string, Record<string, string>?]>([
    ['The request body must be a JSON object.', '[]'],
    ['The request body must be a JSON object.', 'null'],
    ['The request body must be a JSON object.', '"x"'],
    ['The parameter refresh_token must be a string.', json({ refresh_token: null })],
    ...Object.keys(parameters).map((name): [string, string] => [missing(name), json({ [name]: undefined })]),
    [missing('client_id'), json({ client_id: '' })],
    [missing('client_id'), formOf({ ...parameters, client_id: '' }), { 'Content-Type': form }],
    [repeated('refresh_token'), 'refresh_token=&refresh_token=', { 'Content-Type': form }],
    [twice, json(), inHeader],
    [twice, json({ client_id: 'other' }, withoutClient), inHeader],
    [
      'The Basic credentials have no colon. Send client_id:client_secret, encoded as Base64.',
      json({}, withoutClient),
      { Authorization: basic('walker') },
    ],
  ])('throws the error "%s" for the body %s', (message, ...request) => {
    expect(() => tokenRequest(...request)).toThrow(expect.objectContaining({ message }));
  });

  test.each([
    [form, 'The request body is not encoded in UTF-8. Send a form in UTF-8.'],
    ['application/json', 'The request body is not encoded in UTF-8. Send JSON in UTF-8.'],
  ])('throws an error for bytes that are not UTF-8 in a body of the type %s', (type, message) => {
    const body = Buffer.from('{"client_id":"\xfc"}', 'latin1').toString('base64');
    const read = () => tokenRequest(body, { 'Content-Type': type }, { isBase64Encoded: true });
    expect(read).toThrow(expect.objectContaining({ message }));
  });

  test('throws a problem with status 415 for another Content-Type', () => {
    expect(() => tokenRequest('grant_type=x', { 'Content-Type': 'text/plain' })).toThrow(
      expect.objectContaining({
        status: 415,
        message:
          'The request body must be a form or JSON. Send it with Content-Type: application/x-www-form-urlencoded or application/json.',
        headers: { 'Accept-Post': `${form}, application/json` },
      }),
    );
  });

  test('throws a problem with status 405 for another method', () => {
    expect(() => tokenRequest('{}', {}, { httpMethod: 'GET' })).toThrow(
      expect.objectContaining({
        status: 405,
        message: 'The token endpoint supports only POST.',
        headers: { Allow: 'POST' },
      }),
    );
  });

  test('throws InvalidClient for the credentials of another scheme', () => {
    const read = () => tokenRequest(json({}, withoutClient), { Authorization: 'Bearer YTpi' });
    expect(read).toThrow(InvalidClient);
    expect(read).toThrow(
      'The Authorization header does not have Basic credentials. Send client_id and client_secret as Basic credentials or in the body.',
    );
  });
});

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };
const challenge = { 'WWW-Authenticate': 'Basic realm="dogs", charset="UTF-8"' };
const why = 'A "quote" and a 🐕.';
const described = "A 'quote' and a ''.";

test.each<[Error, number, string, object?]>([
  [new InvalidRequest(why), 400, 'invalid_request'],
  [new Problem('body-too-large', why, { headers: { Allow: 'x' } }), 413, 'invalid_request', { Allow: 'x' }],
  [new InvalidClient(why), 401, 'invalid_client', challenge],
  [new UnsupportedGrantType(why), 400, 'unsupported_grant_type'],
  [new InvalidGrant(why), 400, 'invalid_grant'],
  [new Unavailable(why), 503, 'temporarily_unavailable', { 'Retry-After': '1' }],
  [new Error(why), 500, 'server_error'],
])(
  'oauthErrorResponse returns for %p the status %i and %s, and describes only the errors of clients',
  (error, status, code, ...[headers]) => {
    expect(oauthErrorResponse(error, { requestId: '', baseUrl: '' })).toEqual({
      status,
      headers: { ...noStore, ...headers },
      body: { error: code, ...(status < 500 && { error_description: described }) },
    });
  },
);
