import { openApiDocument } from '../../openapi/document.ts';
import type { Answer } from '../support/client.ts';
import { Contract } from '../support/contract.ts';

const base = 'https://dogs.example.com/prod';
const contract = new Contract(openApiDocument(), [base]);

const always = {
  'X-Request-Id': 'JKJaXmPLvHcESHA=',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};
const problem = { ...always, 'Content-Type': 'application/problem+json' };

function answer(
  method: string,
  path: string,
  status: number,
  { headers = always, text = '' }: { headers?: Record<string, string>; text?: string } = {},
): Answer {
  return { method, url: `${base}${path}`, status, headers: new Headers(headers), text };
}

const bark = {
  id: 's01M7XTJQRGHZ3MM2X05VM3ARQN',
  dog: `${base}/v1/dogs/rex/`,
  timestamp: 1795223543,
  status: 'complete',
};
const json = { ...always, 'Content-Type': 'application/json' };
const shown = (change: object = {}, headers: Record<string, string> = json) =>
  answer('GET', '/v1/dogs/rex/barks/s01M7XTJQRGHZ3MM2X05VM3ARQN', 200, {
    headers,
    text: JSON.stringify({ ...bark, ...change }),
  });
const problemOf = (status: number) =>
  JSON.stringify({ type: 'about:blank', title: 'x', status, detail: 'x', instance: '#x' });

describe('An answer that is as described', () => {
  test.each([
    [shown(), 'GetBark', 200],
    [answer('DELETE', '/v1/dogs/rex/?x=1', 204), 'DeleteDog', 204],
    [
      answer('POST', '/v1/dogs/rex/barks/', 303, {
        headers: { ...always, Location: `${base}/v1/dogs/rex/` },
      }),
      'PostBarks',
      303,
    ],
    [answer('HEAD', '/v1/dogs', 200, { headers: json }), 'ListDogsHead', 200],
  ])('is known by its operation', (one, operation, status) => {
    expect(contract.check(one)).toEqual({ operation, status });
  });

  test.each([
    ['another path', answer('GET', '/v1/cats', 404, { headers: problem, text: problemOf(404) })],
    [
      'another method',
      answer('PUT', '/v1/dogs', 405, { headers: { ...problem, Allow: 'GET, HEAD' }, text: problemOf(405) }),
    ],
    [
      'another method of the token endpoint',
      answer('GET', '/oauth2/v4/token', 405, {
        headers: { ...json, Pragma: 'no-cache', Allow: 'POST' },
        text: JSON.stringify({ error: 'invalid_request', error_description: 'x' }),
      }),
    ],
  ])('is known where it is that of %s', (_, one) => {
    expect(contract.check(one)).toBeUndefined();
  });
});

describe('The header fields that API Gateway adds', () => {
  const added = {
    'x-amzn-RequestId': 'c159c6be-ea56-4ee2-b8f1-ee0c8ba40e4d',
    'x-amz-apigw-id': 'JKJaXmPLvHcESHA=',
  };
  const errorType = { 'x-amzn-ErrorType': 'UnauthorizedException' };
  const challenge = { 'WWW-Authenticate': 'Basic realm="dogs"' };

  test('are accepted on the response of a function', () => {
    const headers = { ...json, ...added, 'X-Amzn-Trace-Id': 'Root=1-6920a5c0-1f2e3d4c5b6a79880f1e2d3c' };
    expect(contract.check(shown({}, headers))).toEqual({ operation: 'GetBark', status: 200 });
  });

  test.each([400, 401, 403, 429, 500, 502, 503, 504])(
    'are accepted on a %d of API Gateway, with the type of the error',
    (status) => {
      const fields = { ...problem, ...added, ...errorType, ...challenge, 'Retry-After': '1' };
      const headers = Object.fromEntries(
        Object.entries(fields).filter(
          ([name]) =>
            (name !== 'WWW-Authenticate' || status === 401) &&
            (name !== 'Retry-After' || status === 429 || status === 503),
        ),
      );
      const one = answer('GET', '/v1/dogs', status, { headers, text: problemOf(status) });
      expect(contract.check(one)).toEqual({ operation: 'ListDogs', status });
    },
  );

  test.each([
    ['the type of an error on a success', errorType],
    ['a field that API Gateway has renamed', { 'x-amzn-Remapped-Date': 'Sat, 21 Nov 2026 07:00:00 GMT' }],
    ['a field of another server', { 'X-Cache': 'Miss' }],
  ])('do not excuse %s', (_, fields) => {
    expect(() => contract.check(shown({}, { ...json, ...added, ...fields }))).toThrow(/is not described/);
  });
});

describe('The difference is told where an answer has', () => {
  test.each([
    [
      'a status of its own',
      answer('DELETE', '/v1/dogs/rex', 202),
      /^DeleteDog \(DELETE \/v1\/dogs\/\{dog_id\}\) 202: the status is not described$/,
    ],
    [
      'no header field that it must have',
      answer('POST', '/v1/dogs/rex/barks', 303),
      /PostBarks .* 303: the header Location is missing$/,
    ],
    [
      'another header field',
      shown({}, { ...json, ETag: '"x"' }),
      /GetBark .* 200: the header etag is not described$/,
    ],
    [
      'a header field of another form',
      answer('DELETE', '/v1/dogs/rex', 204, { headers: { ...always, 'Cache-Control': 'public' } }),
      /the header Cache-Control must be/,
    ],
    [
      'another type',
      shown({}, { ...always, 'Content-Type': 'text/plain' }),
      /the type text\/plain is not described/,
    ],
    ['no type', shown({}, always), /the type {2}is not described/],
    [
      'a field that is missing',
      shown({ status: undefined }),
      /GetBark .* 200: the body must have required property 'status'/,
    ],
    ['a field that is new', shown({ loud: true }), /must NOT have additional properties .*loud/],
    ['a field of another type', shown({ timestamp: '0' }), /the body at \/timestamp must be integer/],
    [
      'a body that is no JSON',
      answer('GET', '/v1/dogs/rex/bark', 200, { headers: json, text: '{' }),
      /the body is not JSON/,
    ],
    ['a body where there is none', answer('DELETE', '/v1/dogs/rex', 204, { text: '{}' }), /there is a body/],
    [
      'a path that is none, and a success',
      answer('GET', '/v1/cats', 200),
      /^No route \(GET \/prod\/v1\/cats\) 200: the status is not described/,
    ],
    [
      'a method that is none, without Allow',
      answer('PUT', '/v1/dogs', 405, { headers: problem, text: problemOf(405) }),
      /the header Allow is missing/,
    ],
  ])('%s', (_, one, difference) => {
    expect(() => contract.check(one)).toThrow(difference);
  });
});
