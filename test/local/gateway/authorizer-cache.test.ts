import { AuthorizerCache } from '../../../local/gateway/authorizer-cache.ts';

function resultFor(principalId: string) {
  return { principalId, policyDocument: { Version: '2012-10-17', Statement: [] } };
}

describe('AuthorizerCache', () => {
  const clock = jest.spyOn(Date, 'now');
  beforeEach(() => void clock.mockReturnValue(1_000_000));
  afterAll(() => clock.mockRestore());

  test('returns a result until it expires', () => {
    const cache = new AuthorizerCache(2);
    cache.set('rex', resultFor('rex'), 60);
    clock.mockReturnValue(1_059_999);
    expect(cache.get('rex')).toEqual(resultFor('rex'));
    clock.mockReturnValue(1_060_000);
    expect(cache.get('rex')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  test('returns undefined for an unknown key', () => {
    expect(new AuthorizerCache(2).get('rex')).toBeUndefined();
  });

  test('does not keep a result if its time to live is 0', () => {
    const cache = new AuthorizerCache(2);
    cache.set('rex', resultFor('rex'), 0);
    expect(cache.size).toBe(0);
  });

  test('replaces the result of a key, and its time to live', () => {
    const cache = new AuthorizerCache(2);
    cache.set('rex', resultFor('old'), 60);
    clock.mockReturnValue(1_030_000);
    cache.set('rex', resultFor('new'), 60);
    clock.mockReturnValue(1_080_000);
    expect(cache.get('rex')).toEqual(resultFor('new'));
    expect(cache.size).toBe(1);
  });

  test('removes the least recently used result if the cache is full', () => {
    const cache = new AuthorizerCache(2);
    cache.set('a', resultFor('a'), 60);
    cache.set('b', resultFor('b'), 60);
    cache.get('a');
    cache.set('c', resultFor('c'), 60);
    expect(['a', 'b', 'c'].map((key) => cache.get(key)?.principalId)).toEqual(['a', undefined, 'c']);
  });

  test('never holds more results than its limit', () => {
    const cache = new AuthorizerCache(10);
    for (let i = 0; i < 1_000; i += 1) cache.set(`user ${i}`, resultFor('rex'), 60);
    expect(cache.size).toBe(10);
  });
});
