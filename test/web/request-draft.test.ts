import { draftOf, emptyDraft, parsedDraft } from '../../web/console/requests/draft.ts';
import { get, postBark, type Request } from '../../web/shared/http/requests.ts';

const bark: Request = {
  ...postBark('rex', { resource: 'barks', message: 'a: "b"', async: true }),
};

test.each<Request>([bark, get('/v1/dogs/?limit=5'), { ...get('/v1/dogs/rex/'), headers: { 'X-Empty': '' } }])(
  'parsedDraft() returns the request from which draftOf() made the draft: %j',
  (request) => {
    expect(parsedDraft(draftOf(request))).toEqual({ request, errors: {} });
  },
);

test('draftOf() has one line for each header field', () => {
  expect(draftOf(bark).headers).toBe(
    'Accept: application/json\nPrefer: respond-async\nContent-Type: application/json',
  );
});

test('parsedDraft() accepts spaces and empty lines between the header fields', () => {
  const { request } = parsedDraft({ ...emptyDraft, headers: '\n  Accept:text/html \r\n\n X-A :  b: c' });
  expect(request).toBeUndefined();
  expect(
    parsedDraft({ ...emptyDraft, headers: '\n Accept:text/html \r\n\n X-A:  b: c' }).request?.headers,
  ).toEqual({
    Accept: 'text/html',
    'X-A': 'b: c',
  });
});

test.each([
  ['', 'The path must begin with a slash.'],
  ['v1/dogs/', 'The path must begin with a slash.'],
  ['https://example.com/', 'The path must begin with a slash.'],
  ['/v1/dogs/a b', 'Encode the space as %20.'],
  ['/v1/dogs/#a', 'Encode the # as %23.'],
])('parsedDraft() rejects the path "%s"', (path, error) => {
  expect(parsedDraft({ ...emptyDraft, path })).toEqual({ errors: { path: error } });
});

test.each([
  ['Accept', 'Line 1 has no colon. Write "Name: value".'],
  ['Accept: a\nX A: b', 'Line 2: "X A" is not a valid header field name.'],
  ['Accept: a\n\naccept: b', 'Line 3: "accept" appears twice.'],
  ['authorization: Basic x', 'Line 1: the page adds Authorization itself.'],
  ['Cookie: x', 'Line 1: browsers do not allow a page to set Cookie.'],
  ['Sec-Fetch-Mode: x', 'Line 1: browsers do not allow a page to set Sec-Fetch-Mode.'],
  ['X-Method-Override: x', undefined],
  ['X: 🐕', 'Line 1: the value has a character that a header field cannot contain.'],
  ['X: a\u0000', 'Line 1: the value has a character that a header field cannot contain.'],
])('parsedDraft() checks the header fields %j', (headers, error) => {
  expect(parsedDraft({ ...emptyDraft, headers }).errors.headers).toBe(error);
});

test('parsedDraft() rejects a body in a GET', () => {
  expect(parsedDraft({ ...emptyDraft, method: 'GET', body: '{}' })).toEqual({
    errors: { body: 'A GET has no body. Remove the body, or use another method.' },
  });
});

test('parsedDraft() keeps the body exactly as it is, and warns about invalid JSON', () => {
  const draft = { ...emptyDraft, method: 'POST' as const, headers: 'Content-Type: application/json' };
  expect(parsedDraft({ ...draft, body: ' {"a": 1}\n' })).toMatchObject({
    request: { body: ' {"a": 1}\n' },
    errors: {},
  });
  expect(parsedDraft({ ...draft, body: '{' })).toMatchObject({
    request: { body: '{' },
    warning: 'The body is not valid JSON. You can send it to see the response of the service.',
  });
  expect(parsedDraft({ ...draft, headers: 'Content-Type: text/plain', body: '{' })).not.toHaveProperty(
    'warning',
  );
});
