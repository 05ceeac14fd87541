import { indented, outcomeOf } from '../../web/shared/http/exchange-text.ts';
import { get } from '../../web/shared/http/requests.ts';

const sent = { request: get('/v1/dogs/rex/'), startedAt: 0, durationMs: 1 };

const followedTo = '/v1/dogs/rex/';

test.each([
  [undefined, 'bad', 'no response'],
  [{ status: 201 }, 'good', '201 Created'],
  [{ status: 202 }, 'neutral', '202 Accepted'],
  [{ status: 412 }, 'bad', '412 Precondition Failed'],
  [{ status: 599 }, 'bad', '599'],
  [{ status: 200, followedTo }, 'good', '303 See Other → 200 OK'],
  [{ status: 404, followedTo }, 'bad', '303 See Other → 404 Not Found'],
])('outcomeOf() a response with %j is %s: %s', (response, kind, text) => {
  const exchange = { ...sent, ...(response && { response: { headers: [], body: '', ...response } }) };
  expect(outcomeOf(exchange)).toEqual({ kind, text });
});

test('indented() indents JSON, and returns any other text unchanged', () => {
  expect(indented('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(indented('<html>')).toBe('<html>');
});
