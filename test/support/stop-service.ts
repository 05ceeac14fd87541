import { readFileSync } from 'node:fs';
import './start-service.ts';
import type { Access } from '../../tools/service.ts';
import { Contract } from './contract.ts';
import { neverSeen } from './coverage.ts';
import { deniedPermissions } from './permissions.ts';
import { leaksOf } from './secrets.ts';

/** The results of a jest run. */
interface Run {
  readonly testPathPatterns: { readonly patterns: readonly string[] };
  readonly testNamePattern?: string;
  readonly onlyChanged: boolean;
}

/**
 * Stops the service. Makes the run fail if the logs of the service contain a secret, if a function made a call that its role
 * does not allow, or if the OpenAPI document has a case that no test has seen.
 */
export default async function stop(run: Run): Promise<void> {
  if (isWhole(run)) fail('Described but not seen in any test', await unseen());
  const service = globalThis.startedService;
  if (!service) return;
  await service.stop();
  fail('The service logged secrets', leaksOf(service));
  // If a function handles a denied call, no test fails.
  fail('The roles of functions lack permissions', deniedPermissions(service.directory));
}

/** Returns true if no test was skipped. */
function isWhole({ testPathPatterns, testNamePattern, onlyChanged }: Run): boolean {
  if (process.env.NO_MAIL) return false;
  return testPathPatterns.patterns.length === 0 && !testNamePattern && !onlyChanged;
}

async function unseen(): Promise<string[]> {
  const access: Access = JSON.parse(readFileSync(process.env.ACCESS_FILE ?? '', 'utf8'));
  const { cases } = await Contract.of(access);
  // Without these fields, the tests cannot request tokens.
  const possible = access.auth_url ? cases : cases.filter(({ operation }) => operation !== 'IssueToken');
  return neverSeen(possible, process.env.SEEN_FILE ?? '');
}

/** Prints the defects, if any. Must not throw an error, because jest would then not print a report. */
function fail(what: string, found: readonly string[]): void {
  if (found.length === 0) return;
  console.error(`${what}:\n${found.map((line) => `  ${line}`).join('\n')}`);
  process.exitCode = 1;
}
