import type { IncomingMessage } from 'node:http';
import { proxyEventOf } from '../../../local/gateway/proxy-event.ts';
import { newIds } from '../../../local/gateway/request-ids.ts';
import { apiModelOf } from '../../support/local-api.ts';

const api = apiModelOf({ methods: { 'GET /dogs': 'ListDogs' } });

function eventOf(search: string, rawHeaders: readonly string[] = []) {
  const match = api.match('GET', ['dogs']);
  if (!match) throw new Error('The API has no method for the request.');
  const request = { rawHeaders, headers: {}, httpVersion: '1.1', socket: {} } as unknown as IncomingMessage;
  const target = { host: '127.0.0.1:3000', path: '/dogs', search };
  return proxyEventOf(request, {
    api,
    match,
    httpMethod: 'GET',
    target,
    body: Buffer.alloc(0),
    ids: newIds(Date.now()),
    time: Date.now(),
  });
}

/** Returns the number of array elements that a function reads through iterators. Copies of arrays count as well. */
function elementsRead(work: () => unknown): number {
  let count = 0;
  const iterator = jest.spyOn(Array.prototype, Symbol.iterator).mockImplementation(function* (
    this: unknown[],
  ) {
    for (let i = 0; i < this.length; i += 1) {
      count += 1;
      yield this[i];
    }
    return undefined;
  });
  try {
    work();
  } finally {
    iterator.mockRestore();
  }
  return count;
}

describe('proxyEventOf', () => {
  test('keeps all values of 10,000 repeated query parameters', () => {
    const values = Array.from({ length: 10_000 }, (_, i) => String(i));
    const event = eventOf(values.map((value) => `a=${value}`).join('&'));
    expect(event.multiValueQueryStringParameters).toEqual({ a: values });
    expect(event.queryStringParameters).toEqual({ a: '9999' });
  });

  test.each<[string, (count: number) => Parameters<typeof eventOf>]>([
    ['query parameters', (count) => ['a&'.repeat(count)]],
    ['headers', (count) => ['', Array.from({ length: count }, () => ['X', '1']).flat()]],
  ])('does ten times the work for ten times as many repeated %s', (_, request) => {
    const [few, many] = [1_000, 10_000].map((count) => elementsRead(() => eventOf(...request(count))));
    expect(few).toBeGreaterThan(1_000);
    expect(many).toBeLessThan(11 * Number(few));
  });
});
