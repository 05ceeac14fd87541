import './start-service.ts';
import { refusedPermissions } from './permissions.ts';
import { leaksOf } from './secrets.ts';

/** Ends the service, and fails the run if a secret is found in its logs, or if a function did what it may not. */
export default async function stop(): Promise<void> {
  const service = globalThis.startedService;
  if (!service) return;
  await service.stop();
  fail('The service logged secrets', leaksOf(service));
  // A refusal that a function gets over makes no test fail.
  fail('The roles of functions lack permissions', refusedPermissions(service.directory));
}

/** Tells what is wrong, if anything is. If this threw, there would be no report of the tests. */
function fail(what: string, found: readonly string[]): void {
  if (found.length === 0) return;
  console.error(`${what}:\n${found.map((line) => `  ${line}`).join('\n')}`);
  process.exitCode = 1;
}
