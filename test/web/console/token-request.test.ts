import {
  parametersIn,
  tokenFailure,
  tokenRequest,
  withoutSecrets,
} from '../../../web/console/tokens/token-request.ts';

const parameters = { client_id: 'walker', client_secret: 's&cr=t', refresh_token: 'r+fresh' };

describe('tokenRequest()', () => {
  test('returns a form with all parameters', () => {
    const { body, headers } = tokenRequest(parameters);
    expect(headers).toEqual({ 'Content-Type': 'application/x-www-form-urlencoded' });
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: 'refresh_token',
      ...parameters,
    });
  });

  test('returns a request whose secrets withoutSecrets() hides', () => {
    const { body } = withoutSecrets(tokenRequest(parameters));
    expect(body).toBe('grant_type=refresh_token&client_id=walker&client_secret=••••••&refresh_token=••••••');
  });
});

describe('parametersIn()', () => {
  test('returns the parameters in access.json', () => {
    const access = { base_url: 'http://127.0.0.1:8000', username: 'jane', password: 'x', ...parameters };
    expect(parametersIn(JSON.stringify(access))).toEqual(parameters);
  });

  test.each(['', 'a refresh token', '"text"', 'null', '[]', '{"client_id":1}', '{"username":"jane"}'])(
    'returns undefined for %s',
    (text) => {
      expect(parametersIn(text)).toBeUndefined();
    },
  );
});

test('tokenFailure() returns the description of an OAuth error', () => {
  const exchange = (body: string) => ({
    request: tokenRequest(parameters),
    startedAt: 0,
    durationMs: 1,
    response: { status: 400, headers: [], body },
  });
  expect(tokenFailure(exchange('{"error":"invalid_grant","error_description":"Unknown."}'))).toBe('Unknown.');
  expect(tokenFailure(exchange('{"error":"server_error"}'))).toBeUndefined();
  expect(tokenFailure(exchange('<html>'))).toBeUndefined();
});
