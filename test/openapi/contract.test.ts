import { type ProblemKind, problemTypes } from '../../lambdas/contract/problem-types.ts';
import { openApiDocument } from '../../openapi/document.ts';
import type { ApiResponse } from '../support/client.ts';
import { Contract } from '../support/contract.ts';

const base = 'https://dogs.example.com/prod';
const contract = new Contract(openApiDocument(), [base]);

const always = {
  'X-Request-Id': 'JKJaXmPLvHcESHA=',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};
const problem = { ...always, 'Content-Type': 'application/problem+json' };
const addedByGateway = {
  'x-amzn-RequestId': 'c159c6be-ea56-4ee2-b8f1-ee0c8ba40e4d',
  'x-amz-apigw-id': 'JKJaXmPLvHcESHA=',
};

function response(
  method: string,
  path: string,
  status: number,
  { headers = always, text = '' }: { headers?: Record<string, string>; text?: string } = {},
): ApiResponse {
  return { method, url: `${base}${path}`, status, headers: new Headers(headers), text };
}

const bark = {
  id: 's01M7XTJQRGHZ3MM2X05VM3ARQN',
  dog: `${base}/v1/dogs/rex/`,
  timestamp: 1795223543,
  status: 'complete',
};
const json = { ...always, 'Content-Type': 'application/json' };
const bark200 = { ...json, ETag: '"x"' };
const barkResponse = (change: object = {}, headers: Record<string, string> = bark200) =>
  response('GET', '/v1/dogs/rex/barks/s01M7XTJQRGHZ3MM2X05VM3ARQN', 200, {
    headers,
    text: JSON.stringify({ ...bark, ...change }),
  });
const problemOf = (status: number) =>
  JSON.stringify({ type: 'about:blank', title: 'x', status, detail: 'x', instance: '#x' });
const typed = (slug: string, status: number) =>
  JSON.stringify({
    type: `${base}/docs#problem-${slug}`,
    title: (problemTypes as Readonly<Record<string, ProblemKind>>)[slug]?.title ?? 'x',
    status,
    detail: 'x',
    instance: '#x',
  });

/** Returns a problem document with a type of the service. */
const problemResponse = (method: string, path: string, status: number, slug: string, headers = {}) =>
  response(method, path, status, { headers: { ...problem, ...headers }, text: typed(slug, status) });
/** Returns an error of the token endpoint. */
const oauthError = (method: string, status: number, headers = {}) =>
  response(method, '/oauth2/v4/token', status, {
    headers: { ...json, Pragma: 'no-cache', ...headers },
    text: JSON.stringify({ error: 'invalid_request' }),
  });

describe('Contract.check returns the operation of', () => {
  test.each<[string, ApiResponse, string]>([
    ['a response of a function', barkResponse(), 'GetBark'],
    ['a URL with a trailing slash and a query', response('DELETE', '/v1/dogs/rex/?x=1', 204), 'DeleteDog'],
    [
      'a redirect',
      response('POST', '/v1/dogs/rex/barks/', 303, {
        headers: { ...json, Location: `${base}/v1/dogs/rex/` },
        text: JSON.stringify({ ...bark, id: undefined }),
      }),
      'PostBarks',
    ],
    ['a HEAD', response('HEAD', '/v1/dogs', 200, { headers: { ...json, ETag: 'W/"x"' } }), 'ListDogsHead'],
    ['an OAuth error', oauthError('POST', 400), 'IssueToken'],
    ['a problem', problemResponse('GET', '/v1/dogs/rex', 404, 'dog-not-found'), 'GetDog'],
    ['a problem of a PATCH', problemResponse('PATCH', '/v1/dogs/rex', 403, 'invalid-body'), 'PatchDog'],
    [
      'the header fields that API Gateway adds',
      barkResponse({}, { ...bark200, ...addedByGateway, 'X-Amzn-Trace-Id': 'Root=1-6920a5c0' }),
      'GetBark',
    ],
    ...[400, 401, 403, 429, 500, 502, 503, 504].map((status): [string, ApiResponse, string] => {
      const headers = {
        ...problem,
        ...addedByGateway,
        'x-amzn-ErrorType': 'UnauthorizedException',
        ...(status === 401 && { 'WWW-Authenticate': 'Basic realm="dogs"' }),
        ...((status === 429 || status === 503) && { 'Retry-After': '1' }),
      };
      const text = problemOf(status);
      return [`${status} of API Gateway`, response('GET', '/v1/dogs', status, { headers, text }), 'ListDogs'];
    }),
  ])('%s', (_, one, operation) => {
    expect(contract.check(one)).toEqual({ operation, status: one.status });
  });
});

test.each<[string, ApiResponse]>([
  ['an unknown path', problemResponse('GET', '/v1/cats', 404, 'path-not-found')],
  [
    'a method that the path does not support',
    problemResponse('PUT', '/v1/dogs', 405, 'method-not-allowed', { Allow: 'GET, HEAD' }),
  ],
  ['a method that the token endpoint does not support', oauthError('GET', 405, { Allow: 'POST' })],
])('Contract.check returns undefined for %s', (_, one) => {
  expect(contract.check(one)).toBeUndefined();
});

test('A contract that is not strict ignores unknown header fields, such as those of a proxy', () => {
  const lenient = new Contract(openApiDocument(), [base], { isStrict: false });
  const added = { Via: '1.1 edge', 'Strict-Transport-Security': 'max-age=63072000' };
  const one = barkResponse({}, { ...bark200, ...added });
  expect(() => contract.check(one)).toThrow(/the header via is not described/);
  expect(lenient.check(one)).toEqual({ operation: 'GetBark', status: 200 });
  expect(() => lenient.check(barkResponse({}, { ...bark200, 'Cache-Control': 'public' }))).toThrow(
    /the header Cache-Control must be/,
  );
});

describe('Contract.check throws an error that names the difference for', () => {
  test.each<[string, ApiResponse, RegExp]>([
    [
      'an undescribed status',
      response('DELETE', '/v1/dogs/rex', 202),
      /^DeleteDog \(DELETE \/v1\/dogs\/\{dog_id\}\) 202: the status is not described$/,
    ],
    [
      'a missing header field',
      response('POST', '/v1/dogs/rex/barks', 303, { headers: json, text: JSON.stringify(bark) }),
      /PostBarks .* 303: the header Location is missing$/,
    ],
    [
      'an undescribed header field',
      barkResponse({}, { ...bark200, Link: '<x>' }),
      /GetBark .* 200: the header link is not described$/,
    ],
    [
      'x-amzn-ErrorType on a successful response',
      barkResponse({}, { ...bark200, 'x-amzn-ErrorType': 'UnauthorizedException' }),
      /x-amzn-errortype is not described/,
    ],
    [
      'a malformed header field',
      response('DELETE', '/v1/dogs/rex', 204, { headers: { ...always, 'Cache-Control': 'public' } }),
      /the header Cache-Control must be/,
    ],
    [
      'an undescribed media type',
      barkResponse({}, { ...always, 'Content-Type': 'text/plain' }),
      /the type text\/plain is not described/,
    ],
    [
      'a missing field',
      barkResponse({ status: undefined }),
      /GetBark .* 200: the body must have required property 'status'/,
    ],
    ['an unknown field', barkResponse({ loud: true }), /must NOT have additional properties .*loud/],
    [
      'a field of the wrong type',
      barkResponse({ timestamp: '0' }),
      /the body at \/timestamp must be integer/,
    ],
    [
      'an empty body that is labelled as JSON',
      response('POST', '/v1/dogs/rex/barks', 200, { headers: json }),
      /PostBarks .* 200: the body is not JSON/,
    ],
    ['an undescribed body', response('DELETE', '/v1/dogs/rex', 204, { text: '{}' }), /there is a body/],
    [
      'a successful response of an unknown path',
      response('GET', '/v1/cats', 200),
      /^No route \(GET \/prod\/v1\/cats\) 200: the status is not described/,
    ],
    [
      'a 405 without Allow',
      response('PUT', '/v1/dogs', 405, { headers: problem, text: problemOf(405) }),
      /the header Allow is missing/,
    ],
    [
      'a problem type of another operation',
      problemResponse('GET', '/v1/dogs/rex', 404, 'bark-not-found'),
      /must match pattern/,
    ],
    [
      'about:blank for a status that API Gateway does not return itself',
      response('GET', '/v1/dogs/rex', 404, { headers: problem, text: problemOf(404) }),
      /must match pattern/,
    ],
    [
      'an unknown problem type',
      problemResponse('GET', '/v1/dogs/rex', 404, 'cat-not-found'),
      /the problem type cat-not-found is not described/,
    ],
    [
      'a problem type with another status',
      problemResponse('PATCH', '/v1/dogs/rex', 400, 'invalid-body'),
      /the problem type invalid-body has the status 403/,
    ],
    [
      'a problem type with another title',
      response('GET', '/v1/dogs/rex', 404, {
        headers: problem,
        text: typed('dog-not-found', 404).replace('The dog does not exist', 'x'),
      }),
      /the problem type dog-not-found has the title The dog does not exist/,
    ],
  ])('%s', (_, one, difference) => {
    expect(() => contract.check(one)).toThrow(difference);
  });
});
