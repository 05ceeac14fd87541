import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Access } from '../../tools/service.ts';

/** The cancellation window of the services that tests start. */
export const cancellationWindowSeconds = 3;

/**
 * True if the suite must find the service's own gateway, with nothing in between that adds header fields or changes requests. This
 * is so for a service that the run has started, and if `STRICT` is set.
 */
export const isStrict = !process.env.ACCESS_FILE || Boolean(process.env.STRICT);

/**
 * Returns the path of the `access.json` of the service that this jest worker uses. Each worker has a service of its own, because
 * a test that advances the clock affects all tests that use the same service. If `ACCESS_FILE` names a service, all workers share
 * it.
 *
 * @throws Error if the jest project does not have `start-service.ts` as its `globalSetup`
 */
function sharedAccessFile(): string {
  const { ACCESS_FILE, SERVICE_DIRECTORIES = '[]', JEST_WORKER_ID = '1' } = process.env;
  if (ACCESS_FILE) return ACCESS_FILE;
  const directory = (JSON.parse(SERVICE_DIRECTORIES) as string[])[Number(JEST_WORKER_ID) - 1];
  if (directory === undefined) throw new Error(`No service was started for worker ${JEST_WORKER_ID}.`);
  return join(directory, 'access.json');
}

export function sharedAccess(): Access {
  return JSON.parse(readFileSync(sharedAccessFile(), 'utf8'));
}

export { sharedAccessFile }; // @extension console|docs
