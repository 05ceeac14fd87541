import { sharedAccess } from '../support/shared-service.ts';

export * from '../cases/service.ts';

export const access = sharedAccess();

/** Returns the function that defines a test of access tokens. If the service issues none, logs this and skips the test. */
export function testWithTokens(what: string): typeof test | typeof test.skip {
  if (access.auth_url) return test;
  console.log(`skipped: ${what}, because access.json names no auth_url`);
  return test.skip;
}
