import './start-service.ts';
import { leaksOf } from './secrets.ts';

/** Ends the service, and fails the run if a secret is found in its logs. */
export default async function stop(): Promise<void> {
  const service = globalThis.startedService;
  if (!service) return;
  await service.stop();
  const leaks = leaksOf(service);
  if (leaks.length === 0) return;
  // If this threw, there would be no report of the tests.
  console.error(`The service logged secrets:\n${leaks.map((leak) => `  ${leak}`).join('\n')}`);
  process.exitCode = 1;
}
