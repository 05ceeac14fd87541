import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuthorizationDecision } from '../../local/iam/decision-log.ts';

export function authorizationDecisions(directory: string): AuthorizationDecision[] {
  return readFileSync(join(directory, 'permissions.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Returns the permissions that calls in a service required, but that their callers did not have. */
export function deniedPermissions(directory: string): string[] {
  return authorizationDecisions(directory)
    .filter(({ allowedBy }) => allowedBy.length === 0)
    .map(({ caller, action, resource }) => `${caller}: ${action} on ${resource}`);
}
