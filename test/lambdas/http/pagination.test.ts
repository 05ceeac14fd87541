import { nextLink, pageRequestOf } from '../../../lambdas/http/pagination.ts';
import { requestOf } from '../../../lambdas/http/request.ts';
import { sampleEvent } from '../../../tools/invocation.ts';

const context = { now: Date.UTC(2026, 10, 21, 12), signal: AbortSignal.timeout(1_000) };
const cursor = /^[a-z]+$/;

function page(queryStringParameters: Record<string, string> | null) {
  return pageRequestOf(
    requestOf({ ...sampleEvent('ListDogs'), queryStringParameters }, undefined, context),
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

test.each(['0', '-1', '101', '5000', '9'.repeat(400), '01', '1.5', '1e1', ' 1', '', 'x', '1x'])(
  'pageRequestOf throws a problem with status 400 for the limit "%s"',
  (limit) => {
    expect(() => page({ limit })).toThrow(
      expect.objectContaining({
        status: 400,
        message: 'The query parameter "limit" must be a whole number from 1 to 100.',
      }),
    );
  },
);

test('pageRequestOf throws InvalidCursor for a cursor of another format', () => {
  expect(() => page({ after: '7' })).toThrow(
    expect.objectContaining({
      name: 'InvalidCursor',
    }),
  );
});

test('nextLink returns a link only if there is a next page', () => {
  expect(nextLink('https://dogs.example/v1/dogs/', { limit: 5 }, 'rex')).toEqual({
    Link: '<https://dogs.example/v1/dogs/?limit=5&after=rex>; rel="next"',
  });
  expect(nextLink('https://dogs.example/v1/dogs/', { limit: 5 }, undefined)).toStrictEqual({});
});
