import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuthorizationDecision } from '@rest-actions/local-cloud/parts';

/** Starts a service so that it records its authorization decisions. */
export const recordingStart = [
  process.execPath,
  '--require',
  join(import.meta.dirname, '../fixtures/recorded-decisions.cjs'),
  'bin/start.mjs',
  '--quiet',
  '--no-watch',
] as const;

export function authorizationDecisions(directory: string): AuthorizationDecision[] {
  return readFileSync(join(directory, 'decisions.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Returns the permissions that calls in a service required, but that their callers did not have. */
export function deniedPermissions(output: string): string[] {
  return [...output.matchAll(/(\S+) has no permission for (\S+) on (\S+)\. /g)].map(
    ([, caller, action, resource]) => `${caller}: ${action} on ${resource}`,
  );
}
