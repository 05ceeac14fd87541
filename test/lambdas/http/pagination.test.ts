import { nextLink } from '../../../lambdas/http/pagination.ts';

test('nextLink returns a link to the next page, which has the limit of this one', () => {
  expect(nextLink('https://dogs.example/v1/dogs/', { limit: 5 }, 'rex')).toEqual({
    Link: '<https://dogs.example/v1/dogs/?limit=5&after=rex>; rel="next"',
  });
});
