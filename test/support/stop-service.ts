import { readFileSync, rmSync } from 'node:fs';
import './start-service.ts';
import { linesOfMissing } from './capabilities.ts';
import { Contract } from './contract.ts';
import { neverSeen } from './coverage.ts';
import { deniedPermissions } from './permissions.ts';
import { leaksOf } from './secrets.ts';
import { type Sharing, sharedAccess } from './shared-service.ts';

interface Run {
  readonly testPathPatterns: { readonly patterns: readonly string[] };
  readonly testNamePattern?: string;
  readonly onlyChanged: boolean;
}

/** Ends the black-box tests. Makes the run fail if the OpenAPI document has a case that none of them has seen. */
export default async function stop(run: Run): Promise<void> {
  const [seen, skipped] = [process.env.SEEN_FILE, process.env.SKIPPED_FILE].map((file = '') =>
    readFileSync(file, 'utf8'),
  ) as [string, string];
  const missing = linesOfMissing(skipped);
  for (const line of missing) console.warn(line);
  if (missing.length === 0 && isWhole(run)) fail('Described but not seen in any test', await unseen(seen));
  await stopServices('blackbox');
}

/**
 * Stops the services of a project. Makes the run fail if the logs of a service contain a secret, or if a function made a call that its
 * role does not allow.
 */
export async function stopServices(project: Sharing): Promise<void> {
  const services = globalThis.sharedServices?.[project] ?? [];
  await Promise.all(services.map((service) => service.stop()));
  for (const service of services) {
    fail('The service logged secrets', leaksOf(service));
    // If a function handles a denied call, no test fails.
    fail('The roles of functions lack permissions', deniedPermissions(service.output()));
    // The folder can be in memory.
    rmSync(service.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

function isWhole({ testPathPatterns, testNamePattern, onlyChanged }: Run): boolean {
  return testPathPatterns.patterns.length === 0 && !testNamePattern && !onlyChanged;
}

/** @param seen the content of `SEEN_FILE` */
async function unseen(seen: string): Promise<string[]> {
  const access = sharedAccess();
  const { cases } = await Contract.of(access);
  // Without these fields, the tests cannot request tokens.
  const possible = access.auth_url ? cases : cases.filter(({ operation }) => operation !== 'IssueToken');
  return neverSeen(possible, seen);
}

/** Prints the defects, if any. Must not throw an error, because jest would then not print a report. */
function fail(what: string, found: readonly string[]): void {
  if (found.length === 0) return;
  console.error(`${what}:\n${found.map((line) => `  ${line}`).join('\n')}`);
  process.exitCode = 1;
}
