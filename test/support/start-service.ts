import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Access, type Service, startService } from '../../tools/service.ts';
import { sendsMail } from './mail-probe.ts';
import { keepSecrets, secretsOf } from './secrets.ts';

declare global {
  var startedService: Service | undefined;
}

/**
 * Starts the service that the black-box suite calls, unless `ACCESS_FILE` names the `access.json` of a running service, which
 * can be local or deployed. If that service cannot send mail, logs this, and sets `NO_MAIL` for the tests.
 */
export default async function start(): Promise<void> {
  process.env.SEEN_FILE = join(mkdtempSync(join(tmpdir(), 'dogs-seen-')), 'seen.txt');
  writeFileSync(process.env.SEEN_FILE, '');
  if (process.env.ACCESS_FILE) return probeMail(JSON.parse(readFileSync(process.env.ACCESS_FILE, 'utf8')));
  const service = await startService(undefined, { settings: ['cancellationWindowSeconds=2'] });
  process.env.ACCESS_FILE = join(service.directory, 'access.json');
  process.env.SECRETS_FILE = join(service.directory, 'secrets.txt');
  keepSecrets(...secretsOf(service.access));
  globalThis.startedService = service;
}

async function probeMail(access: Access): Promise<void> {
  if (await sendsMail(access)) return;
  process.env.NO_MAIL = 'yes';
  console.warn(
    '\nSES refuses the mail of this service (has SES verified its sender?), so the tests that need mail are skipped.',
  );
}
