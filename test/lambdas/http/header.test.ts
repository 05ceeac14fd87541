import { mediaTypeOf } from '../../../lambdas/http/header.ts';

test.each([
  ['application/json', 'application/json'],
  ['Application/JSON', 'application/json'],
  ['application/json; charset=utf-8', 'application/json'],
  [' application/json \t;charset=utf-8', 'application/json'],
  ['', ''],
  [undefined, ''],
])('mediaTypeOf(%p) returns %p', (contentType, mediaType) => {
  expect(mediaTypeOf(contentType)).toBe(mediaType);
});
