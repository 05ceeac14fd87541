import { createRequire } from 'node:module';

/** Returns the package that interprets state machines. Loads it at the first call, because most starts do not need it. */
export function interpreter(): typeof import('aws-local-stepfunctions') {
  return createRequire(import.meta.url)('aws-local-stepfunctions');
}
