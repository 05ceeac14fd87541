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
const untagged = { ...json, 'Cache-Control': 'private, no-cache' };
const bark200 = { ...untagged, ETag: '"x"' };
const barkResponse = (change: object = {}, headers: Record<string, string> = bark200) =>
  response('GET', '/v1/dogs/rex/barks/s01M7XTJQRGHZ3MM2X05VM3ARQN', 200, {
    headers,
    text: JSON.stringify({ ...bark, ...change }),
  });
const problemOf = (type: string, title: string, status: number) =>
  JSON.stringify({ type, title, status, detail: 'x', instance: '#x' });
const typed = (slug: string, status: number) => {
  const { title } = (problemTypes as Readonly<Record<string, ProblemKind>>)[slug] ?? { title: 'x' };
  return problemOf(`${base}/docs#problem-${slug}`, title, status);
};

test('A contract that is not strict ignores unknown header fields, such as those of a proxy', () => {
  const lenient = new Contract(openApiDocument(), [base], { isStrict: false });
  const added = { Via: '1.1 edge', 'Strict-Transport-Security': 'max-age=63072000' };
  const one = barkResponse({}, { ...bark200, ...added });
  expect(() => contract.check(one)).toThrow(/the header via is not described/);
  expect(lenient.check(one)).toEqual({ operation: 'GetBark', status: 200 });
  expect(() => lenient.check(barkResponse({}, { ...bark200, 'Cache-Control': 'public' }))).toThrow(
    /the header Cache-Control must match/,
  );
});

test('A contract accepts a response without X-Request-Id only with a status that API Gateway itself can return', () => {
  const { 'X-Request-Id': _, ...others } = problem;
  const headers = { ...others, 'Retry-After': '1' };
  const without = (status: number, type: string, title: string) =>
    response('GET', '/v1/dogs/rex', status, { headers, text: problemOf(type, title, status) });
  expect(contract.check(without(503, 'about:blank', 'Service Unavailable'))).toMatchObject({ status: 503 });
  expect(() => contract.check(without(404, `${base}/docs#problem-dog-not-found`, ''))).toThrow(
    /the header X-Request-Id is missing/,
  );
});

const noDog = (text: string) => response('GET', '/v1/dogs/rex', 404, { headers: problem, text });

test.each<[string, ApiResponse, RegExp]>([
  [
    'an undescribed status',
    response('DELETE', '/v1/dogs/rex', 202),
    /^DeleteDog \(DELETE \/v1\/dogs\/\{dog_id\}\) 202: the status is not described$/,
  ],
  ['a missing header field', barkResponse({}, untagged), /^GetBark .* 200: the header ETag is missing$/],
  ['an undescribed header field', barkResponse({}, { ...bark200, Link: '<x>' }), /header link is not desc/],
  [
    'an undescribed media type',
    barkResponse({}, { ...bark200, 'Content-Type': 'text/plain' }),
    /the type text\/plain is not described/,
  ],
  ['a missing field', barkResponse({ status: undefined }), /body must have required property 'status'/],
  ['an empty body labelled as JSON', { ...barkResponse(), text: '' }, /200: the body is not JSON/],
  ['an undescribed body', response('DELETE', '/v1/dogs/rex', 204, { text: '{}' }), /there is a body/],
  [
    'a problem type of another operation',
    noDog(typed('bark-not-found', 404)),
    /type bark-not-found is not described/,
  ],
  [
    'about:blank for a status that API Gateway does not return',
    noDog(problemOf('about:blank', 'x', 404)),
    /type about:blank is not described/,
  ],
  ['an unknown problem type', noDog(typed('cat-not-found', 404)), /type cat-not-found is not described/],
  [
    'a problem type with another status',
    response('PATCH', '/v1/dogs/rex', 400, { headers: problem, text: typed('invalid-body', 400) }),
    /the problem type invalid-body has the status 403/,
  ],
  [
    'a problem type with another title',
    noDog(typed('dog-not-found', 404).replace('The dog does not exist', 'x')),
    /the problem type dog-not-found has the title The dog does not exist/,
  ],
])('Contract.check throws an error that names the difference for %s', (_, one, difference) => {
  expect(() => contract.check(one)).toThrow(difference);
});
