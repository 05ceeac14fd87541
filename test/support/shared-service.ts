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

/** A jest project whose test files share services. */
export type Sharing = 'blackbox' | 'console';

/** The name of the environment variable with the directories of a project's services, as JSON. */
export const directoriesOf = (project: Sharing) => `SERVICES_OF_${project.toUpperCase()}`;

/**
 * Returns the path of the `access.json` of the service that this jest worker uses. Each worker of each project has a service of its
 * own, because a test that advances the clock affects all tests that use the same service. If `ACCESS_FILE` names a service, all
 * workers share it.
 *
 * @throws Error if no service was started for the project: see `start-service.ts`
 */
function sharedAccessFile(project: Sharing = 'blackbox'): string {
  const { ACCESS_FILE, JEST_WORKER_ID = '1', [directoriesOf(project)]: directories = '[]' } = process.env;
  if (ACCESS_FILE) return ACCESS_FILE;
  const directory = (JSON.parse(directories) as string[])[Number(JEST_WORKER_ID) - 1];
  if (directory === undefined)
    throw new Error(`No service was started for worker ${JEST_WORKER_ID} of the project ${project}.`);
  return join(directory, 'access.json');
}

export function sharedAccess(project?: Sharing): Access {
  return JSON.parse(readFileSync(sharedAccessFile(project), 'utf8'));
}

export { sharedAccessFile }; // @extension console|docs
