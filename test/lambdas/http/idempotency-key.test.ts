import { idempotencyKey } from '../../../lambdas/http/idempotency-key.ts';
import type { Request } from '../../../lambdas/http/request.ts';

function keyOf(field: string | undefined) {
  const request = { user: 'dog-lover', header: () => field } as unknown as Request;
  return idempotencyKey(request, 'barks');
}

test('A request need not have a key', () => {
  expect(keyOf(undefined)).toBeUndefined();
});

test.each([
  ['"8e03978e-40d5-43e8-bc93-6894a57f9324"', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
  [' "x" ', 'x'],
  ['" "', ' '],
  ['"a, b"', 'a, b'],
  ['"say \\"woof\\" \\\\"', 'say "woof" \\'],
  [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
  [`"${'\\"'.repeat(255)}"`, '"'.repeat(255)],
])('The key %s belongs to its user and its resource', (field, value) => {
  expect(keyOf(field)).toEqual({ user: 'dog-lover', resource: 'barks', value });
});

test.each([
  '',
  ' ',
  '""',
  '"',
  'x',
  '8e03978e-40d5-43e8-bc93-6894a57f9324',
  "'x'",
  '"x',
  'x"',
  '"x" y',
  '"x", "x"',
  '"x";p=1',
  '"x"y"',
  '"\\x"',
  '"x\\"',
  '"ä"',
  '"🐶"',
  '"\t"',
  '"x\ny"',
  '"\u0000"',
  '"\u007f"',
  `"${'x'.repeat(256)}"`,
  `"${'\\"'.repeat(256)}"`,
])('%j is no key', (field) => {
  expect(() => keyOf(field)).toThrow(
    expect.objectContaining({
      status: 400,
      message: expect.stringMatching(/^Idempotency-Key must be .*"$|\.$/),
    }),
  );
});
