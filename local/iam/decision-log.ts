import { JsonLines } from '../platform/json-lines.ts';
import type { RequiredPermission } from './required-permissions.ts';

/** A permission that a function needed, and whether it has it. */
export interface AuthorizationDecision extends RequiredPermission {
  /** The name of the function. */
  readonly caller: string;
  /** The resources of the statements that allow it, as the template has them; none if it was refused. */
  readonly allowedBy: readonly string[];
}

/**
 * What functions needed and were allowed, and what they were refused, from one start to the next. Each action is kept
 * once for the statements that allow it, with the resource that was first: so this grows with the template, and not
 * with the calls.
 */
export class DecisionLog {
  private readonly kept: JsonLines<AuthorizationDecision>;
  private readonly known: Set<string>;

  constructor(file: string) {
    this.kept = new JsonLines(file);
    this.known = new Set(this.kept.read().map(keyOf));
  }

  add(judged: AuthorizationDecision): void {
    const key = keyOf(judged);
    if (this.known.has(key)) return;
    this.known.add(key);
    this.kept.append(judged);
  }
}

function keyOf({ caller, action, context, allowedBy }: AuthorizationDecision): string {
  return JSON.stringify([caller, action, context, allowedBy]);
}
