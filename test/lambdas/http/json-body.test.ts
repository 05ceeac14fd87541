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
