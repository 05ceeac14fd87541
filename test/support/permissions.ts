import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JudgedNeed } from '../../local/iam/decision-log.ts';

/** Returns the recorded permissions that the functions of a service required. */
export function neededPermissions(directory: string): JudgedNeed[] {
  return readFileSync(join(directory, 'permissions.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Returns the calls of the functions that their roles do not allow. */
export function refusedPermissions(directory: string): string[] {
  return neededPermissions(directory)
    .filter(({ allowedBy }) => allowedBy.length === 0)
    .map(({ caller, action, resource }) => `${caller}: ${action} on ${resource}`);
}
