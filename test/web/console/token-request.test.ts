import {
  parametersIn,
  tokenFailure,
  tokenRequest,
  withoutSecrets,
} from '../../../web/console/tokens/token-request.ts';

const parameters = { client_id: 'walker', client_secret: 's&cr=t', refresh_token: 'r+fresh' };
const request = tokenRequest(parameters);

test('tokenRequest() returns a form with all parameters, whose secrets withoutSecrets() hides', () => {
  expect(request.headers).toEqual({ 'Content-Type': 'application/x-www-form-urlencoded' });
  const sent = Object.fromEntries(new URLSearchParams(request.body));
  expect(sent).toEqual({ grant_type: 'refresh_token', ...parameters });
  expect(withoutSecrets(request).body).toBe(
    'grant_type=refresh_token&client_id=walker&client_secret=••••••&refresh_token=••••••',
  );
});

test('parametersIn() returns the parameters in access.json', () => {
  const access = { base_url: 'http://127.0.0.1:8000', username: 'jane', password: 'x', ...parameters };
  expect(parametersIn(JSON.stringify(access))).toEqual(parameters);
});

test.each(['', 'a refresh token', '"text"', 'null', '[]', '{"client_id":1}', '{"username":"jane"}'])(
  'parametersIn() returns undefined for %s',
  (text) => {
    expect(parametersIn(text)).toBeUndefined();
  },
);

test.each([
  ['{"error":"invalid_grant","error_description":"Unknown."}', 'Unknown.'],
  ['{"error":"server_error"}', undefined],
  ['<html>', undefined],
])('tokenFailure() returns, for the OAuth error %s, %s', (body, expected) => {
  const response = { status: 400, headers: [], body };
  expect(tokenFailure({ request, startedAt: 0, durationMs: 1, response })).toBe(expected);
});
