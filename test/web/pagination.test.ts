import { nextUrlOf } from '../../web/shared/http/pagination.ts';

test('nextUrlOf() returns the URL with the relation next', () => {
  expect(nextUrlOf('<https://x.example/v1/dogs/rex/barks?after=1>; rel="next"')).toBe(
    'https://x.example/v1/dogs/rex/barks?after=1',
  );
  expect(nextUrlOf(undefined)).toBeUndefined();
});
