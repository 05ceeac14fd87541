import { createRequire } from 'node:module';
import type * as Interpreter from 'aws-local-stepfunctions';

/** Returns the package that interprets state machines. Loads it at the first call, because most starts do not need it. */
export function interpreter(): typeof Interpreter {
  return createRequire(import.meta.url)('aws-local-stepfunctions');
}
