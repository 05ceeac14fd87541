import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, startService } from '../../tools/service.ts';
import { findMissing, keepMissing } from './capabilities.ts';
import { newFastDirectory } from './fast-directory.ts';
import prepare, { preparedStack } from './prepare-services.ts';
import { keepSecrets, secretsOf } from './secrets.ts';
import { isStrict, sharedAccess } from './shared-service.ts';

declare global {
  /** The services of this run. Empty if `ACCESS_FILE` names the service. Undefined before the start. */
  var sharedServices: readonly Service[] | undefined;
}

/**
 * Starts one service for each jest worker, unless `ACCESS_FILE` names the `access.json` of a running service, which can be local
 * or deployed. Probes what the environment of that service lacks. Safe to call again, because several projects can share the
 * services.
 *
 * @param maxWorkers the number of jest workers
 */
export default async function start({ maxWorkers }: { readonly maxWorkers: number }): Promise<void> {
  if (globalThis.sharedServices) return;
  globalThis.sharedServices = [];
  const directory = mkdtempSync(join(tmpdir(), 'dogs-run-'));
  process.env.SEEN_FILE = join(directory, 'seen.txt');
  process.env.SKIPPED_FILE = join(directory, 'skipped.txt');
  for (const file of [process.env.SEEN_FILE, process.env.SKIPPED_FILE]) writeFileSync(file, '');
  if (process.env.ACCESS_FILE) return keepMissing(await findMissing(sharedAccess(), isStrict));
  process.env.SECRETS_FILE = join(directory, 'secrets.txt');
  await prepare();
  const starts = Array.from({ length: maxWorkers }, () =>
    startService(newFastDirectory(), { app: preparedStack, clockOffsetMs: 0 }),
  );
  globalThis.sharedServices = await Promise.all(starts);
  process.env.SERVICE_DIRECTORIES = JSON.stringify(
    globalThis.sharedServices.map((service) => service.directory),
  );
  for (const { access } of globalThis.sharedServices) keepSecrets(...secretsOf(access));
}
