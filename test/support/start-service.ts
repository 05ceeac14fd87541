import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepSecrets, secretsOf } from './secrets.ts';
import { type Service, startService } from './service.ts';

declare global {
  var startedService: Service | undefined;
}

/**
 * Starts the service that the black-box suite calls, unless `ACCESS_FILE` names the `access.json` of one that runs
 * already: on this machine, or deployed.
 */
export default async function start(): Promise<void> {
  process.env.SEEN_FILE = join(mkdtempSync(join(tmpdir(), 'dogs-seen-')), 'seen.txt');
  writeFileSync(process.env.SEEN_FILE, '');
  if (process.env.ACCESS_FILE) return;
  const service = await startService(undefined, { settings: ['cancellationWindowSeconds=2'] });
  process.env.ACCESS_FILE = join(service.directory, 'access.json');
  process.env.SECRETS_FILE = join(service.directory, 'secrets.txt');
  keepSecrets(...secretsOf(service.access));
  globalThis.startedService = service;
}
