import { nextLink, pageRequestOf } from '../../../lambdas/http/pagination.ts';
import { requestOf } from '../../../lambdas/http/request.ts';
import { sampleEvent } from '../../../tools/invocation.ts';

const context = { now: Date.UTC(2026, 10, 21, 12), signal: AbortSignal.timeout(1_000) };
const cursor = /^[a-z]+$/;

function page(queryStringParameters: Record<string, string> | null) {
  return pageRequestOf(
    requestOf({ ...sampleEvent('ListDogs'), queryStringParameters }, undefined, context, () => 8_000),
    cursor,
  );
}

test.each([
  [null, { limit: 20 }],
  [{ limit: '1' }, { limit: 1 }],
  [{ limit: '100' }, { limit: 100 }],
  [{ after: 'rex' }, { limit: 20, after: 'rex' }],
])('pageRequestOf returns for the query %j the page %j', (query, expected) => {
  expect(page(query)).toStrictEqual(expected);
});

test('nextLink returns a link only if there is a next page', () => {
  expect(nextLink('https://dogs.example/v1/dogs/', { limit: 5 }, 'rex')).toEqual({
    Link: '<https://dogs.example/v1/dogs/?limit=5&after=rex>; rel="next"',
  });
  expect(nextLink('https://dogs.example/v1/dogs/', { limit: 5 }, undefined)).toStrictEqual({});
});
