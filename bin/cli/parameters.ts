import * as v from 'valibot';
import { accessName } from '../../lambdas/domain/access/keys.ts';
import type { RequestContext } from '../../lambdas/domain/platform/request-context.ts';
import { UsageError } from './errors.ts';

/** @param timeoutMs how long the call to the domain may take */
export function newContext(timeoutMs = 10_000): RequestContext {
  return { now: Date.now(), signal: AbortSignal.timeout(timeoutMs) };
}

/** @throws UsageError if the name is not valid for a user or a client */
export function checkName(name: string): string {
  if (accessName.test(name)) return name;
  throw new UsageError(
    `"${name}" is not a valid name. A name has 1 to 64 characters: letters, digits, ., _, @, + and -.`,
  );
}

/**
 * @param nameOf returns the command line's name for a field
 * @throws UsageError that lists each error if the document is invalid
 */
export function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  document: unknown,
  nameOf: (field: string) => string = (field) => field,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, document);
  if (result.success) return result.output;
  const errors = result.issues.map((issue) => {
    const [field] = issue.path ?? [];
    return `${field ? nameOf(String(field.key)) : 'The input'} ${issue.message}.`;
  });
  throw new UsageError(errors.join('\n'));
}
