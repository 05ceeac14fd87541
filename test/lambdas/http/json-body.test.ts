import * as v from 'valibot';
import { documentOf } from '../../../lambdas/domain/platform/document.ts';
import { endpointWithBody } from '../../../lambdas/http/endpoint.ts';
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

beforeEach(() => {
  reached.length = 0;
});

test.each([
  ['exactly as large as allowed', `{"n":1}${' '.repeat(65_529)}`, 'application/json', { n: 1 }],
  ['with a charset', '{"n":1}', 'application/json; charset=utf-8', { n: 1 }],
  ['with a charset after white space', '{"n":1}', 'application/json \t; charset=utf-8', { n: 1 }],
  ['of a type with the suffix +json', '{"n":1}', 'application/vnd.dog+json', { n: 1 }],
  ['empty', '', 'application/json', {}],
  ['empty and of another type', '', 'text/plain', {}],
  ['absent', null, '', {}],
  ['null', 'null', 'application/json', {}],
])('A body that is %s reaches the route', async (_, body, type, document) => {
  const response = await invoke(handler, 'PostBarks', { body, headers: { 'Content-Type': type } });
  expect(response.statusCode).toBe(200);
  expect(reached).toEqual([document]);
});

test.each([[['text/plain', 'application/json']], [['application/json', 'application/json']]])(
  'A body with the types %j gets 415, because there must be only one',
  async (types) => {
    const multiValueHeaders = { 'Content-Type': types };
    const response = await invoke(handler, 'PostBarks', { body: '{}', multiValueHeaders });
    expect([response.statusCode, reached]).toEqual([415, []]);
  },
);

test('A body in Base64 that is not JSON gets a response with the position of the error', async () => {
  const body = Buffer.from('{"é":x}').toString('base64');
  expect((await invoke(handler, 'PostBarks', { body, isBase64Encoded: true })).json()).toMatchObject({
    type: expect.stringMatching(/\/docs#problem-invalid-json$/),
    detail: 'The request body is not valid JSON: unexpected "x" at line 1, column 6.',
  });
});

// https://www.rfc-editor.org/rfc/rfc8259#section-8.1
test.each([
  ['a message in Latin-1', '{"message":"Gr\xfcn"}'],
  ['a character of two bytes without its last one', '{"message":"\xc3"}'],
  ['an overlong encoding', '{"message":"\xc0\xaf"}'],
  ['half of a surrogate pair', '{"message":"\xed\xa0\x80"}'],
  ['a code point above U+10FFFF', '{"message":"\xf4\x90\x80\x80"}'],
  ['an error of syntax before the bytes', '{\xff'],
])('Bytes in Base64 that are not UTF-8 are refused, and not replaced: %s', async (_, bytes) => {
  const body = Buffer.from(bytes, 'latin1').toString('base64');
  const response = await invoke(handler, 'PostBarks', { body, isBase64Encoded: true });
  expect(response.json()).toMatchObject({
    type: expect.stringMatching(/\/docs#problem-invalid-json$/),
    status: 400,
    detail: 'The request body is not encoded in UTF-8. Send JSON in UTF-8.',
  });
  expect(reached).toEqual([]);
});

test('A text with U+FFFD reaches the route, because the client may have sent that character', async () => {
  expect((await invoke(handler, 'PostBarks', { body: '{"a/b~c":"Gr\ufffdn"}' })).statusCode).toBe(200);
  expect(reached).toEqual([{ 'a/b~c': 'Gr\ufffdn' }]);
});

test.each([
  ['an array', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, '', 'must be a JSON object'],
  ['an object', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, '/a', 'is not a known field'],
])('%s that is deeply nested is refused for what it is', async (_, body, pointer, detail) => {
  const response = await invoke(handler, 'PostBarks', { body });
  expect(response.json()).toMatchObject({ status: 422, errors: [{ pointer, detail }] });
});
