import {
  completed,
  exampleValues,
  initialValues,
  missingValues,
  type OperationForm,
  requestOf,
} from '../../../web/docs/operation-request.ts';
import type { Request } from '../../../web/shared/http/requests.ts';

const form: OperationForm = {
  method: 'POST',
  path: '/v1/dogs/{dog_id}/barks',
  isPublic: false,
  parameters: [
    { name: 'dog_id', in: 'path', isRequired: true, example: 'rex' },
    { name: 'limit', in: 'query', isRequired: false, example: '20' },
    { name: 'after', in: 'query', isRequired: false, example: 'a' },
    { name: 'Idempotency-Key', in: 'header', isRequired: false, example: '"1"' },
  ],
  body: { type: 'application/json', isRequired: false, example: '{"message":"Hello"}' },
};

const { body: _, ...bodiless } = form;
const bare = { method: 'POST', path: '/v1/dogs/rex/barks', headers: {} };

test.each<[string, Request, object]>([
  [
    'the examples of the required parameters and of the body',
    requestOf(form, exampleValues(form)),
    { ...bare, headers: { 'Content-Type': 'application/json' }, body: '{"message":"Hello"}' },
  ],
  [
    'the values of path, query and header parameters',
    requestOf(form, {
      parameters: { dog_id: 'a/b c', limit: '5', after: ' x&y ', 'Idempotency-Key': '"2"' },
      body: '',
    }),
    {
      ...bare,
      path: '/v1/dogs/a%2Fb%20c/barks?limit=5&after=x%26y',
      headers: { 'Idempotency-Key': '"2"' },
    },
  ],
  [
    'no parameters with an empty value',
    requestOf(form, { parameters: { dog_id: 'rex', limit: ' ', 'Idempotency-Key': '' }, body: ' ' }),
    bare,
  ],
  [
    'no credentials if the operation requires none',
    requestOf({ ...form, isPublic: true }, { parameters: { dog_id: 'rex' }, body: '' }),
    { ...bare, sender: 'none' },
  ],
  [
    'no body if the operation has none',
    requestOf(bodiless, { parameters: { dog_id: 'rex' }, body: 'text' }),
    bare,
  ],
])('The request of an operation has %s', (_name, request, expected) => {
  expect(request).toEqual(expected);
});

test('The missing values are the empty required parameters, and the secrets of an example', () => {
  expect(missingValues(form, { parameters: { dog_id: ' ' }, body: '' })).toEqual(['dog_id']);
  expect(missingValues(form, { parameters: { dog_id: 'rex' }, body: '' })).toEqual([]);
  const body = { type: 'application/json', isRequired: true, example: '{"refresh_token":"secret"}' };
  const token: OperationForm = { ...form, parameters: [], body };
  expect(missingValues(token, initialValues(token, {}))).toEqual(['body']);
  expect(missingValues(token, { parameters: {}, body: '{"refresh_token":"mine"}' })).toEqual([]);
});

test('The values of a preview are those of the example where required parameters are empty', () => {
  const values = { parameters: { dog_id: ' ', limit: '' }, body: '{}' };
  expect(completed(form, values)).toEqual({ parameters: { dog_id: 'rex', limit: '' }, body: '{}' });
});

describe('The first values of a form', () => {
  const example = 'Sat, 21 Nov 2026 07:00:00 GMT';
  const since = { name: 'If-Unmodified-Since', in: 'header', isRequired: true, example } as const;
  const dated: OperationForm = { ...form, parameters: [...form.parameters, since] };

  test('are the dog and the indented body of the example, and no other value that belongs to another service', () => {
    expect(initialValues(dated, {})).toEqual({
      parameters: { dog_id: 'rex', 'If-Unmodified-Since': '' },
      body: '{\n  "message": "Hello"\n}',
    });
  });

  test('contain the path parameters of other forms', () => {
    expect(initialValues(form, { dog_id: 'max', bark_id: 's1' }).parameters).toEqual({ dog_id: 'max' });
  });

  test('contain a token that the dog does not know', () => {
    const body = { type: 'application/json', isRequired: true, example: '{"token":42,"next":0}' };
    expect(initialValues({ ...form, body }, {}).body).toMatch(/"token": \d{10,},/);
  });
});
