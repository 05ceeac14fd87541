import { JsonLines } from '../platform/json-lines.ts';
import { WriteFailures } from '../platform/write-failures.ts';
import type { RequiredPermission } from './required-permissions.ts';

export interface AuthorizationDecision extends RequiredPermission {
  /** The name of the function, or `operator`. */
  readonly caller: string;
  /** The matching resource patterns in the statements that allow the permission. Empty if the permission is denied. */
  readonly allowedBy: readonly string[];
}

/**
 * A file with one decision for each combination of caller, action, context and matching patterns. Each decision names only the
 * resource of its first call, so the file's size does not depend on the number of calls.
 */
export class DecisionLog {
  private readonly decisions: JsonLines<AuthorizationDecision>;
  private readonly keys: Set<string>;
  private readonly writeFailures: WriteFailures;

  constructor(file: string) {
    this.decisions = new JsonLines(file, isDecision);
    this.keys = new Set(this.decisions.read().map(keyOf));
    this.writeFailures = new WriteFailures(file);
  }

  /** If the write fails, logs the error. The next call with the same decision tries again. */
  add(decision: AuthorizationDecision): void {
    const key = keyOf(decision);
    if (this.keys.has(key)) return;
    try {
      this.decisions.append(decision);
      this.keys.add(key);
    } catch (error) {
      this.writeFailures.report(error);
    }
  }
}

function isDecision(value: unknown): value is AuthorizationDecision {
  const { caller, action, context, allowedBy } = Object(value);
  return (
    typeof caller === 'string' &&
    typeof action === 'string' &&
    Object(context) === context &&
    Array.isArray(allowedBy)
  );
}

function keyOf({ caller, action, context, allowedBy }: AuthorizationDecision): string {
  return JSON.stringify([caller, action, context, allowedBy]);
}
