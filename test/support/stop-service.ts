import { readFileSync } from 'node:fs';
import './start-service.ts';
import type { Access } from '../../tools/service.ts';
import { Contract } from './contract.ts';
import { neverSeen } from './coverage.ts';
import { refusedPermissions } from './permissions.ts';
import { leaksOf } from './secrets.ts';

/** What jest says of a run. */
interface Run {
  readonly testPathPatterns: { readonly patterns: readonly string[] };
  readonly testNamePattern?: string;
  readonly onlyChanged: boolean;
}

/**
 * Ends the service, and fails the run if a secret is found in its logs, if a function did what it may not, or if the
 * description of the interface has what no test saw.
 */
export default async function stop(run: Run): Promise<void> {
  if (isWhole(run)) fail('Described, and never seen', await unseen());
  const service = globalThis.startedService;
  if (!service) return;
  await service.stop();
  fail('The service logged secrets', leaksOf(service));
  // A refusal that a function gets over makes no test fail.
  fail('The roles of functions lack permissions', refusedPermissions(service.directory));
}

/** True if no test was left out. */
function isWhole({ testPathPatterns, testNamePattern, onlyChanged }: Run): boolean {
  if (process.env.NO_MAIL) return false;
  return testPathPatterns.patterns.length === 0 && !testNamePattern && !onlyChanged;
}

async function unseen(): Promise<string[]> {
  const access: Access = JSON.parse(readFileSync(process.env.ACCESS_FILE ?? '', 'utf8'));
  const { cases } = await Contract.of(access);
  // Without these nobody can be given a token.
  const asked = access.auth_url ? cases : cases.filter(({ operation }) => operation !== 'IssueToken');
  return neverSeen(asked, process.env.SEEN_FILE ?? '');
}

/** Tells what is wrong, if anything is. If this threw, there would be no report of the tests. */
function fail(what: string, found: readonly string[]): void {
  if (found.length === 0) return;
  console.error(`${what}:\n${found.map((line) => `  ${line}`).join('\n')}`);
  process.exitCode = 1;
}
