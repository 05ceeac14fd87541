import { InvalidClient } from '../../../lambdas/domain/platform/errors.ts';
import { tokenRequestOf } from '../../../lambdas/http/oauth.ts';
import { requestOf } from '../../../lambdas/http/request.ts';
import { sampleEvent } from '../../../tools/invocation.ts';

const context = { now: Date.UTC(2026, 10, 21, 12), signal: AbortSignal.timeout(1_000) };
const parameters = {
  client_id: 'walker',
  client_secret: 'se:cret',
  grant_type: 'refresh_token',
  refresh_token: 'r',
};
const { client_id, client_secret, ...withoutClient } = parameters;

function tokenRequest(body: string, fields: Record<string, string> = {}, httpMethod = 'POST') {
  const headers = { 'Content-Type': 'application/json', ...fields };
  const multiValueHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  );
  const event = { ...sampleEvent('IssueToken'), body, multiValueHeaders, httpMethod };
  return tokenRequestOf(requestOf(event, undefined, context, () => 8_000));
}

function basic(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** All errors with the status 400 are defined in RFC 6749, except the error for an unreadable body. */
function refusal(status: number, message: string) {
  return expect.objectContaining(status === 400 ? { message } : { status, message });
}

const expected = {
  clientId: 'walker',
  clientSecret: 'se:cret',
  grantType: 'refresh_token',
  refreshToken: 'r',
};

test.each(['application/json', 'Application/JSON', ' application/json ; charset=utf-8'])(
  'tokenRequestOf reads a JSON body with the Content-Type "%s"',
  (type) => {
    const body = JSON.stringify({ ...parameters, scope: ['x'], expires: 1 });
    expect(tokenRequest(body, { 'Content-Type': type })).toEqual(expected);
  },
);

test('tokenRequestOf accepts another grant type with or without a refresh token', () => {
  const other = { ...parameters, grant_type: 'password' };
  expect(tokenRequest(JSON.stringify(other)).refreshToken).toBe('r');
  expect(tokenRequest(JSON.stringify({ ...other, refresh_token: undefined })).refreshToken).toBe('');
});

test.each([
  ['{', 'The request body is not valid JSON: unexpected end of input at line 1, column 2.'],
  ['', 'The request body is empty. Send a JSON object.'],
  ['[]', 'The request body must be a JSON object.'],
  ['null', 'The request body must be a JSON object.'],
  ['"x"', 'The request body must be a JSON object.'],
  [JSON.stringify({ ...parameters, client_id: 7 }), 'The parameter client_id must be a string.'],
  [JSON.stringify({ ...parameters, refresh_token: null }), 'The parameter refresh_token must be a string.'],
  [JSON.stringify({ ...parameters, refresh_token: '' }), 'The parameter refresh_token is missing.'],
])('tokenRequestOf throws a problem with the reason for the body %s', (body, reason) => {
  expect(() => tokenRequest(body)).toThrow(refusal(400, reason));
});

test('tokenRequestOf throws a problem with status 415 for another Content-Type, and 405 for another method', () => {
  expect(() => tokenRequest('{}', { 'Content-Type': 'text/plain' })).toThrow(
    refusal(
      415,
      'The request body must be a form or JSON. Send it with Content-Type: application/x-www-form-urlencoded or application/json.',
    ),
  );
  expect(() => tokenRequest('{}', {}, 'GET')).toThrow(refusal(405, 'The token endpoint supports only POST.'));
});

test.each(['Basic ', 'basic ', 'BASIC   '])(
  'tokenRequestOf accepts client credentials with the scheme "%s"',
  (scheme) => {
    const Authorization = `${scheme}${basic('walker:se:cret')}`;
    expect(tokenRequest(JSON.stringify(withoutClient), { Authorization })).toEqual(expected);
  },
);

test('tokenRequestOf throws a problem with status 400 if a request has client credentials twice', () => {
  const Authorization = `Basic ${basic('walker:se:cret')}`;
  expect(() => tokenRequest(JSON.stringify(parameters), { Authorization })).toThrow(
    refusal(
      400,
      'The request has client credentials in the Authorization header and in the body. Send them in only one of these places.',
    ),
  );
});

test.each([
  `Bearer ${basic('a:b')}`,
  `XBasic ${basic('a:b')}`,
  `Basic ${basic('a:b')}!`,
  'Basic',
  'Basic =',
  'x',
])('tokenRequestOf throws InvalidClient for the header "%s"', (Authorization) => {
  const read = () => tokenRequest(JSON.stringify(withoutClient), { Authorization });
  expect(read).toThrow(InvalidClient);
  expect(read).toThrow(
    'The Authorization header does not have Basic credentials. Send client_id and client_secret as Basic credentials or in the body.',
  );
});

test('tokenRequestOf throws a problem with status 400 for Basic credentials without a colon', () => {
  expect(() =>
    tokenRequest(JSON.stringify(withoutClient), { Authorization: `Basic ${basic('walker')}` }),
  ).toThrow(
    refusal(400, 'The Basic credentials have no colon. Send client_id:client_secret, encoded as Base64.'),
  );
});
