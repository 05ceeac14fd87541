import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Access, type Service, startService } from '../../tools/service.ts';
import { sendsMail } from './mail-probe.ts';
import prepare, { preparedStack } from './prepare-services.ts';
import { keepSecrets, secretsOf } from './secrets.ts';
import { sharedAccess } from './shared-service.ts';

declare global {
  /** The services of this run. Empty if `ACCESS_FILE` names the service. Undefined before the start. */
  var sharedServices: readonly Service[] | undefined;
}

/**
 * Starts one service for each jest worker, unless `ACCESS_FILE` names the `access.json` of a running service, which can be local
 * or deployed. If that service cannot send mail, logs this, and sets `NO_MAIL` for the tests. Safe to call again, because several
 * projects can share the services.
 *
 * @param maxWorkers the number of jest workers
 */
export default async function start({ maxWorkers }: { readonly maxWorkers: number }): Promise<void> {
  if (globalThis.sharedServices) return;
  globalThis.sharedServices = [];
  const directory = mkdtempSync(join(tmpdir(), 'dogs-run-'));
  process.env.SEEN_FILE = join(directory, 'seen.txt');
  writeFileSync(process.env.SEEN_FILE, '');
  if (process.env.ACCESS_FILE) return probeMail(sharedAccess());
  process.env.SECRETS_FILE = join(directory, 'secrets.txt');
  await prepare();
  const starts = Array.from({ length: maxWorkers }, () =>
    startService(undefined, { app: preparedStack, clockOffsetMs: 0 }),
  );
  globalThis.sharedServices = await Promise.all(starts);
  process.env.SERVICE_DIRECTORIES = JSON.stringify(
    globalThis.sharedServices.map((service) => service.directory),
  );
  for (const { access } of globalThis.sharedServices) keepSecrets(...secretsOf(access));
}

async function probeMail(access: Access): Promise<void> {
  if (await sendsMail(access)) return;
  process.env.NO_MAIL = 'yes';
  console.warn(
    '\nSES refuses the mail of this service (has SES verified its sender?), so the tests that need mail are skipped.',
  );
}
