import { isEmailAddress } from '../../../lambdas/contract/email-address.ts';

const labels = [...Array(3).fill('d'.repeat(60)), 'example.com'].join('.');

test.each([
  'rex@example.com',
  'rex@localhost',
  'a.b.c@example.com',
  "!#$%&'*+-/=?^_`{|}~0aZ@example.com",
  `${'a'.repeat(64)}@example.com`,
  `a@${'b'.repeat(63)}.com`,
  `${'a'.repeat(253 - labels.length)}@${labels}`,
])('%s is an email address', (text) => {
  expect(isEmailAddress(text)).toBe(true);
});

test.each([
  '',
  'rex',
  '@example.com',
  'a..b@example.com',
  '.a@example.com',
  'a.@example.com',
  '"a..b"@example.com',
  'a b@example.com',
  'a@b@example.com',
  'ä@example.com',
  'a@exämple.com',
  'a@example..com',
  'a@.example.com',
  'a@example.com.',
  'a@-example.com',
  'a@[127.0.0.1]',
  'a@example.com\n',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(64)}.com`,
  `${'a'.repeat(254 - labels.length)}@${labels}`,
])('%j is not an email address', (text) => {
  expect(isEmailAddress(text)).toBe(false);
});
