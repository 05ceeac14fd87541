import type { HistoryEntry } from '../../web/console/requests/history.ts';
import { clearHistory, history, matching, record } from '../../web/console/requests/history.ts';
import type { Exchange } from '../../web/shared/http/exchange.ts';
import { deleteDog, get, type Request } from '../../web/shared/http/requests.ts';

function exchangeOf(request: Request, status = 200, body = ''): Exchange {
  return { request, response: { status, headers: [], body }, startedAt: 0, durationMs: 1 };
}

beforeEach(() => clearHistory());

test('record() puts the newest exchange first, with an ID of its own', () => {
  record(exchangeOf(get('/1')), false);
  record(exchangeOf(get('/2')), true);
  expect(history.value.map(({ exchange, isBackground }) => [exchange.request.path, isBackground])).toEqual([
    ['/2', true],
    ['/1', false],
  ]);
  expect(new Set(history.value.map(({ id }) => id)).size).toBe(2);
});

test('record() keeps the last 200 exchanges', () => {
  for (let i = 0; i < 210; i++) record(exchangeOf(get(`/${i}`)), false);
  expect(history.value).toHaveLength(200);
  expect(history.value.at(-1)?.exchange.request.path).toBe('/10');
});

test('record() keeps 200 exchanges of actions, even if the page reads more often in the background', () => {
  record(exchangeOf(deleteDog('rex')), false);
  for (let i = 0; i < 500; i++) record(exchangeOf(get('/')), true);
  expect(history.value).toHaveLength(200);
  expect(history.value.at(-1)?.exchange.request.method).toBe('DELETE');
});

test('record() does not keep the bodies of the token endpoint, which contain secrets', () => {
  const request: Request = {
    method: 'POST',
    path: '/oauth2/v4/token',
    headers: { 'Content-Type': 'application/json' },
    body: '{"client_secret":"SECRET"}',
  };
  record(exchangeOf(request, 200, '{"access_token":"SECRET"}'), false);
  expect(JSON.stringify(history.value)).not.toContain('SECRET');
  expect(history.value[0]).toMatchObject({ isRedacted: true, exchange: { response: { status: 200 } } });
});

test('clearHistory() forgets the exchanges', () => {
  record(exchangeOf(get('/')), false);
  clearHistory();
  expect(history.value).toEqual([]);
});

describe('matching()', () => {
  const all = { text: '', method: undefined, hidesBackground: false };

  function pathsOf(entries: readonly HistoryEntry[]): string[] {
    return entries.map(({ exchange }) => exchange.request.path);
  }

  beforeEach(() => {
    record(exchangeOf(get('/v1/dogs/rex/'), 404), true);
    record(exchangeOf(deleteDog('Bella'), 204), false);
    record({ request: get('/v1/dogs/luna/'), startedAt: 0, durationMs: 1 }, false);
  });

  test('returns all entries without a filter', () => {
    expect(matching(history.value, all)).toEqual(history.value);
  });

  test('returns the entries whose method, Method, path or status contain each word', () => {
    const found = (text: string) => pathsOf(matching(history.value, { ...all, text }));
    expect(found('bella')).toEqual(['/v1/dogs/Bella/']);
    expect(found(' not found ')).toEqual(['/v1/dogs/rex/']);
    expect(found('get no response')).toEqual(['/v1/dogs/luna/']);
    expect(found('get 204')).toEqual([]);
  });

  test('returns the entries with a method', () => {
    expect(pathsOf(matching(history.value, { ...all, method: 'DELETE' }))).toEqual(['/v1/dogs/Bella/']);
  });

  test('returns the entries of actions only', () => {
    expect(pathsOf(matching(history.value, { ...all, hidesBackground: true }))).toEqual([
      '/v1/dogs/luna/',
      '/v1/dogs/Bella/',
    ]);
  });
});
