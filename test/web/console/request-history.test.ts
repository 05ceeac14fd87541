import { clearHistory, history, matching, record } from '../../../web/console/requests/history.ts';
import type { Exchange } from '../../../web/shared/http/exchange.ts';
import { deleteDog, get, type Request } from '../../../web/shared/http/requests.ts';

function exchangeOf(request: Request, status = 200): Exchange {
  return { request, response: { status, headers: [], body: '' }, startedAt: 0, durationMs: 1 };
}

beforeEach(() => clearHistory());

test('record() puts the newest exchange first, with an ID of its own, and keeps the last 200', () => {
  for (let i = 0; i < 210; i++) record(exchangeOf(get(`/${i}`)), false);
  const paths = history.value.map(({ exchange }) => exchange.request.path);
  expect(paths).toEqual(Array.from({ length: 200 }, (_, i) => `/${209 - i}`));
  expect(new Set(history.value.map(({ id }) => id)).size).toBe(200);
});

test('record() keeps 200 exchanges of actions, even if the page reads more often in the background', () => {
  record(exchangeOf(deleteDog('rex')), false);
  for (let i = 0; i < 500; i++) record(exchangeOf(get('/')), true);
  expect(history.value).toHaveLength(200);
  expect(history.value.at(-1)?.exchange.request.method).toBe('DELETE');
});

const all = { text: '', hidesBackground: false };

test.each([
  ['all entries without a filter', all, ['luna', 'Bella', 'rex']],
  ['the entries whose path contains a word in any case', { ...all, text: 'bella' }, ['Bella']],
  ['the entries whose status contains each word', { ...all, text: ' not found ' }, ['rex']],
  ['the entries without a response', { ...all, text: 'get no response' }, ['luna']],
  ['no entry if none contains each word', { ...all, text: 'get 204' }, []],
  ['the entries with a method', { ...all, text: 'delete' }, ['Bella']],
  ['the entries of actions only', { ...all, hidesBackground: true }, ['luna', 'Bella']],
])('matching() returns %s', (_, filter, expected) => {
  record(exchangeOf(get('/v1/dogs/rex/'), 404), true);
  record(exchangeOf(deleteDog('Bella'), 204), false);
  record({ request: get('/v1/dogs/luna/'), startedAt: 0, durationMs: 1 }, false);
  const paths = matching(history.value, filter).map(({ exchange }) => exchange.request.path);
  expect(paths).toEqual(expected.map((id) => `/v1/dogs/${id}/`));
});
