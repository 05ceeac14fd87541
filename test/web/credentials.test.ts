import { localPathOf } from '../../web/shared/credentials.ts';

const random = `${'x-_'.repeat(14)}A`;

test.each([`/${random}/activities`, `/${random}/`])('localPathOf() returns %s', (path) => {
  expect(localPathOf(path)).toBe(path);
});

test.each([
  null,
  '',
  '/v1/dogs',
  `//${random}/activities`,
  `/\\${random}/activities`,
  `https://evil.example/${random}/activities`,
  `/${random}/activities?x=1`,
  `/${random}/activities/../v1`,
  `/${random}\n/activities`,
])('localPathOf() refuses %j', (text) => {
  expect(localPathOf(text)).toBeUndefined();
});
