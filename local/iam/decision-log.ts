import { JsonLines } from '../platform/json-lines.ts';
import type { RequiredPermission } from './required-permissions.ts';

/** A permission that a call required, and the decision about it. */
export interface AuthorizationDecision extends RequiredPermission {
  /** The name of the function, or `operator`. */
  readonly caller: string;
  /** The resource patterns that match, from the statements that allow the permission. Empty if the permission is denied. */
  readonly allowedBy: readonly string[];
}

/**
 * A file of authorization decisions, which survives restarts. It contains one decision for each combination of caller,
 * action, context and matching patterns, with the resource of the first call. The size of the file therefore depends
 * on the template and not on the number of calls.
 */
export class DecisionLog {
  private readonly decisions: JsonLines<AuthorizationDecision>;
  private readonly keys: Set<string>;

  constructor(file: string) {
    this.decisions = new JsonLines(file);
    this.keys = new Set(this.decisions.read().map(keyOf));
  }

  /** Writes a decision, unless the file already has one for the same combination. */
  add(decision: AuthorizationDecision): void {
    const key = keyOf(decision);
    if (this.keys.has(key)) return;
    this.keys.add(key);
    this.decisions.append(decision);
  }
}

function keyOf({ caller, action, context, allowedBy }: AuthorizationDecision): string {
  return JSON.stringify([caller, action, context, allowedBy]);
}
