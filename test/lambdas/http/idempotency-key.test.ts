import { idempotencyKey } from '../../../lambdas/http/idempotency-key.ts';
import type { Request } from '../../../lambdas/http/request.ts';

function keyOf(field: string | undefined) {
  const request = { user: 'dog-lover', header: () => field } as unknown as Request;
  return idempotencyKey(request, 'barks');
}

test('idempotencyKey returns undefined without a header', () => {
  expect(keyOf(undefined)).toBeUndefined();
});

test.each([
  ['"8e03978e-40d5-43e8-bc93-6894a57f9324"', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
  [' "x" ', 'x'],
  ['" "', ' '],
  ['"a, b"', 'a, b'],
  ['"go \\"woof\\" \\\\"', 'go "woof" \\'],
  [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
  [`"${'\\"'.repeat(255)}"`, '"'.repeat(255)],
])('idempotencyKey returns the value, the user and the resource of the key %s', (field, value) => {
  expect(keyOf(field)).toEqual({ user: 'dog-lover', resource: 'barks', value });
});
