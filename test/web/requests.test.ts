import { createDog, pathOf } from '../../web/shared/http/requests.ts';

test.each([
  ['', '/v1/dogs/{dog_id}/'],
  ['rex', '/v1/dogs/rex/'],
  ['a/b', '/v1/dogs/a%2Fb/'],
])('the request that creates the dog "%s" has the path %s', (id, path) => {
  expect(createDog(id, {}).path).toBe(path);
  expect(pathOf(id, 'barks')).toBe(`${path}barks`);
});
