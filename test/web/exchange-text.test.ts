import {
  excerptOf,
  indented,
  isSameRequest,
  outcomeOf,
  statusLine,
} from '../../web/shared/http/exchange-text.ts';
import { get, postBark } from '../../web/shared/http/requests.ts';

const sent = { request: get('/v1/dogs/rex/'), startedAt: 0, durationMs: 1 };

test.each([
  [sent, 'bad', 'no response'],
  [{ ...sent, response: { status: 201, headers: [], body: '' } }, 'good', '201 Created'],
  [{ ...sent, response: { status: 412, headers: [], body: '' } }, 'bad', '412 Precondition Failed'],
  [
    { ...sent, response: { status: 200, headers: [], body: '', followedTo: '/v1/dogs/rex/' } },
    'good',
    '303 See Other → 200 OK',
  ],
  [
    { ...sent, response: { status: 404, headers: [], body: '', followedTo: '/v1/dogs/rex/' } },
    'bad',
    '303 See Other → 404 Not Found',
  ],
] as const)('outcomeOf() of %j is %s: %s', (exchange, kind, text) => {
  expect(outcomeOf(exchange)).toEqual({ kind, text });
});

test('statusLine() returns only the number of an unknown status', () => {
  expect(statusLine(599)).toBe('599');
});

test('indented() indents JSON, and returns any other text unchanged', () => {
  expect(indented('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(indented('<html>')).toBe('<html>');
});

describe('excerptOf()', () => {
  test('returns a short text unchanged', () => {
    expect(excerptOf('a\nb')).toBe('a\nb');
  });

  test('returns the first lines of a text with many lines', () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i}`);
    expect(excerptOf(lines.join('\n'))).toBe(lines.slice(0, 24).join('\n'));
  });

  test('returns a text unchanged if it would hide only a few lines', () => {
    const lines = Array.from({ length: 28 }, (_, i) => `line ${i}`).join('\n');
    expect(excerptOf(lines)).toBe(lines);
  });

  test('returns the beginning of a long line', () => {
    expect(excerptOf('x'.repeat(10_000))).toBe('x'.repeat(2_000));
  });
});

test('isSameRequest() compares the method, the path, the header fields and the body', () => {
  const bark = postBark('rex', { resource: 'barks', message: 'Woof', async: true });
  expect(isSameRequest(bark, { ...bark, headers: { ...bark.headers } })).toBe(true);
  for (const change of [
    { method: 'PUT' as const },
    { path: '/' },
    { body: '' },
    { headers: { ...bark.headers, Prefer: 'x' } },
    { headers: {} },
  ])
    expect(isSameRequest(bark, { ...bark, ...change })).toBe(false);
});
