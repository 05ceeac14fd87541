import type { APIGatewayProxyResult } from 'aws-lambda';
import * as v from 'valibot';
import { documentOf } from '../../../lambdas/domain/platform/document.ts';
import { endpointWithBody } from '../../../lambdas/http/endpoint.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';
import { invoke } from '../../support/invoke.ts';

const schema = documentOf({
  n: v.optional(v.number('must be a number')),
  'a/b~c': v.optional(v.string('must be a string')),
});
const reached: unknown[] = [];
const handler = endpointWithBody({ schema, empty: {}, acceptHeader: 'Accept-Post' }, async ({ body }) => {
  reached.push(body);
  return { status: 200 };
});
const strict = endpointWithBody({ schema, acceptHeader: 'Accept' }, async () => ({ status: 200 }));

beforeEach(() => {
  reached.length = 0;
});

const json = { 'content-type': 'application/json' };

test.each([
  ['one byte too long', `{"n":1}${' '.repeat(65_530)}`, json, 413],
  ['too long in bytes, but not in characters', `{"a/b~c":"${'é'.repeat(33_000)}"}`, json, 413],
  ['too large and of another type', 'x'.repeat(70_000), { 'content-type': 'text/plain' }, 413],
  ['of another type', '{}', { 'content-type': 'text/plain' }, 415],
  ['without a type', '{}', { 'content-type': '' }, 415],
  ['of another type and not JSON', '{', { 'content-type': 'application/xml' }, 415],
  ['not JSON', '{"n":', json, 400],
  ['JSON with a superfluous character', '{"n":1}}', json, 400],
  ['with a key that could pollute a prototype', '{"__proto__":{"n":1}}', json, 400],
  ['only white space', '   ', json, 400],
  ['an array', '[]', json, 422],
  ['null', 'null', json, 422],
  ['a string', '"n"', json, 422],
  ['with an unknown field', '{"m":1}', json, 422],
  ['with a field of the wrong type', '{"n":"1"}', json, 422],
])('A body that is %s does not reach the route', async (_, body, headers, status) => {
  const response = await invoke(handler, 'PostBarks', { body, headers: { 'Content-Type': '', ...headers } });
  expect(response.json()).toMatchObject({ status });
  expect(response.headers?.['Content-Type']).toBe('application/problem+json');
  expect(reached).toEqual([]);
});

test.each([
  ['exactly as large as allowed', `{"n":1}${' '.repeat(65_529)}`, 'application/json', { n: 1 }],
  ['with a charset', '{"n":1}', 'application/json; charset=utf-8', { n: 1 }],
  ['with a charset after white space', '{"n":1}', 'application/json \t; charset=utf-8', { n: 1 }],
  ['of a type with the suffix +json', '{"n":1}', 'application/vnd.dog+json', { n: 1 }],
  ['empty', '', 'application/json', {}],
  ['empty and of another type', '', 'text/plain', {}],
  ['absent', null, '', {}],
])('A body that is %s reaches the route', async (_, body, type, document) => {
  const response = await invoke(handler, 'PostBarks', { body, headers: { 'Content-Type': type } });
  expect(response.statusCode).toBe(200);
  expect(reached).toEqual([document]);
});

test('A body without a Content-Type header returns 415', async () => {
  const event = { ...sampleEvent('PostBarks'), headers: {}, body: '{}' };
  const response = (await handler(event, context())) as APIGatewayProxyResult;
  expect(response.statusCode).toBe(415);
});

test.each([
  [
    'too large',
    handler,
    ' '.repeat(65_537),
    json,
    'The request body is 65537 bytes long. The limit is 65536 bytes.',
  ],
  ['empty and required', strict, null, json, 'The request body is empty. Send a JSON object.'],
  [
    'of another type',
    handler,
    '{}',
    { 'content-type': 'text/plain' },
    'The request body must be JSON. Send it with Content-Type: application/json.',
  ],
  [
    'not JSON',
    handler,
    '{\n  "n": 1,\n    }',
    json,
    'The request body is not valid JSON: unexpected "}" at line 3, column 5.',
  ],
  [
    'JSON with a key that could pollute a prototype',
    handler,
    '{"__proto__":{}}',
    json,
    'The request body has a forbidden key: "__proto__", or a "constructor" that contains "prototype". Remove the key.',
  ],
])('A body that is %s gets a response that describes the error', async (_, route, body, headers, detail) => {
  const fields = { 'Content-Type': '', ...headers };
  expect((await invoke(route, 'PostBarks', { body, headers: fields })).json()).toMatchObject({ detail });
});

test('A body in Base64 that is not JSON gets a response with the position of the error', async () => {
  const body = Buffer.from('{"é":x}').toString('base64');
  expect((await invoke(handler, 'PostBarks', { body, isBase64Encoded: true })).json()).toMatchObject({
    type: expect.stringMatching(/\/docs#problem-invalid-json$/),
    detail: 'The request body is not valid JSON: unexpected "x" at line 1, column 6.',
  });
});

test.each(['constructor', 'prototype'])('A field %s at any depth is reported as unknown', async (name) => {
  const body = JSON.stringify({ [name]: 1, n: { a: [{ [name]: 2 }] } });
  expect((await invoke(handler, 'PostBarks', { body })).json()).toMatchObject({
    errors: expect.arrayContaining([
      { pointer: `/${name}`, detail: 'is not a known field' },
      { pointer: `/n/a/0/${name}`, detail: 'is not a known field' },
    ]),
  });
});

test('A response with 415 lists the accepted types in the header for the method', async () => {
  const headers = { 'Content-Type': 'text/plain' };
  expect((await invoke(handler, 'PostBarks', { headers })).headers).toMatchObject({
    'Accept-Post': 'application/json',
  });
  expect((await invoke(strict, 'PutDog', { headers })).headers).toMatchObject({ Accept: 'application/json' });
});

test('A response with 422 has the JSON pointer of each invalid field', async () => {
  const response = await invoke(handler, 'PostBarks', { body: '{"n":"x","a/b~c":1,"z":0}' });
  expect(response.json()).toMatchObject({
    errors: [
      { pointer: '/n', detail: 'must be a number' },
      { pointer: '/a~1b~0c', detail: 'must be a string' },
      { pointer: '/z', detail: 'is not a known field' },
    ],
  });
});
