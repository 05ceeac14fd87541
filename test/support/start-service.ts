import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, startService } from '../../tools/service.ts';
import { threadsOf } from '../runner/threads.ts';
import { findMissing, keepMissing } from './capabilities.ts';
import { newFastDirectory } from './fast-directory.ts';
import prepare, { preparedStack } from './prepare-services.ts';
import { keepSecrets, secretsOf } from './secrets.ts';
import { directoriesOf, isStrict, type Sharing, sharedAccess } from './shared-service.ts';

declare global {
  /** The services of each project in this run. */
  var sharedServices: Partial<Record<Sharing, readonly Service[]>> | undefined;
}

export interface Workers {
  readonly maxWorkers: number;
}

/**
 * Starts the services of the black-box tests, unless `ACCESS_FILE` names the `access.json` of a running service, which can be local
 * or deployed. Probes what the environment of that service lacks.
 */
export default async function start(workers: Workers): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'dogs-run-'));
  process.env.SEEN_FILE = join(directory, 'seen.txt');
  process.env.SKIPPED_FILE = join(directory, 'skipped.txt');
  for (const file of [process.env.SEEN_FILE, process.env.SKIPPED_FILE]) writeFileSync(file, '');
  if (process.env.ACCESS_FILE) keepMissing(await findMissing(sharedAccess(), isStrict));
  else await startServices('blackbox', workers);
}

/** Starts one service for each thread of a project. */
export async function startServices(project: Sharing, { maxWorkers }: Workers): Promise<readonly Service[]> {
  process.env.SECRETS_FILE ??= join(mkdtempSync(join(tmpdir(), 'dogs-secrets-')), 'secrets.txt');
  await prepare();
  const starts = Array.from({ length: threadsOf(maxWorkers) }, () =>
    startService(newFastDirectory(), { app: preparedStack, clockOffsetMs: 0 }),
  );
  const services = await Promise.all(starts);
  globalThis.sharedServices = { ...globalThis.sharedServices, [project]: services };
  process.env[directoriesOf(project)] = JSON.stringify(services.map((service) => service.directory));
  for (const { access } of services) keepSecrets(...secretsOf(access));
  return services;
}
