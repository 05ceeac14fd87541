import { draftOf, emptyDraft, parsedDraft, type RequestDraft } from '../../../web/console/requests/draft.ts';
import { get, postBark, type Request } from '../../../web/shared/http/requests.ts';

const bark = postBark('rex', { resource: 'barks', message: 'a: "b"', async: true });

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

test('parsedDraft() accepts spaces and empty lines around the header fields, but not before a colon', () => {
  const headersIn = (headers: string) => parsedDraft({ ...emptyDraft, headers }).request?.headers;
  expect(headersIn('\n Accept:text/html \r\n\n X-A:  b: c')).toEqual({ Accept: 'text/html', 'X-A': 'b: c' });
  expect(headersIn('X-A : b')).toBeUndefined();
});

test.each<[Partial<RequestDraft>, object]>([
  ...['', 'v1/dogs/', 'https://example.com/'].map((path): [Partial<RequestDraft>, object] => [
    { path },
    { path: 'The path must begin with a slash.' },
  ]),
  [{ path: '/v1/dogs/a b' }, { path: 'Encode the space as %20.' }],
  [{ path: '/v1/dogs/#a' }, { path: 'Encode the # as %23.' }],
  ...Object.entries({
    Accept: 'Line 1 has no colon. Write "Name: value".',
    'Accept: a\nX A: b': 'Line 2: "X A" is not a valid header field name.',
    'Accept: a\n\naccept: b': 'Line 3: "accept" appears twice.',
    'authorization: Basic x': 'Line 1: the page adds Authorization itself.',
    'Cookie: x': 'Line 1: browsers do not allow a page to set Cookie.',
    'Sec-Fetch-Mode: x': 'Line 1: browsers do not allow a page to set Sec-Fetch-Mode.',
    'X: 🐕': 'Line 1: the value contains a character that is not allowed in a header field.',
    'X: a\u0000': 'Line 1: the value contains a character that is not allowed in a header field.',
  }).map(([headers, error]): [Partial<RequestDraft>, object] => [{ headers }, { headers: error }]),
  [{ headers: 'X-Method-Override: x' }, {}],
  [{ method: 'GET', body: '{}' }, { body: 'A GET has no body. Remove the body, or use another method.' }],
])('parsedDraft() returns, for %j, the errors %j', (draft, errors) => {
  expect(parsedDraft({ ...emptyDraft, ...draft }).errors).toEqual(errors);
});

test('parsedDraft() keeps the body exactly as it is, and warns about invalid JSON', () => {
  const draft = { ...emptyDraft, method: 'POST' as const, headers: 'Content-Type: application/json' };
  expect(parsedDraft({ ...draft, body: ' {"a": 1}\n' })).toMatchObject({
    request: { body: ' {"a": 1}\n' },
    errors: {},
  });
  expect(parsedDraft({ ...draft, body: '{' })).toMatchObject({
    request: { body: '{' },
    warning: "The body is not valid JSON. You can send it to see the service's response.",
  });
  expect(parsedDraft({ ...draft, headers: 'Content-Type: text/plain', body: '{' })).not.toHaveProperty(
    'warning',
  );
});
