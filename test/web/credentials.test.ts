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
  `//${random}/`,
  `http://127.0.0.1:3001/${random}/`,
  `http://127.0.0.1:1@evil.example/${random}/`,
  'http://127.0.0.1:1@evil.example/',
  'javascript:alert(1)',
])('localPathOf() refuses %j', (text) => {
  expect(localPathOf(text)).toBeUndefined();
});
