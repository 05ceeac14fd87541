import { parametersIn, tokenFailure } from '../../../web/console/tokens/token-request.ts';
import { get } from '../../../web/shared/http/requests.ts';

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
  expect(tokenFailure({ request: get('/'), startedAt: 0, durationMs: 1, response })).toBe(expected);
});
