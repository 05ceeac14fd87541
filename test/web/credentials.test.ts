import { feedPathOf } from '../../web/shared/credentials.ts';

const random = `${'x-_'.repeat(14)}A`;

test('feedPathOf() returns the path of an activity stream', () => {
  expect(feedPathOf(`/${random}/activities`)).toBe(`/${random}/activities`);
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
])('feedPathOf() refuses %j', (text) => {
  expect(feedPathOf(text)).toBeUndefined();
});
