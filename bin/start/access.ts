import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataDirectory } from '@rest-actions/local-cloud';
import { log, UserError } from '@rest-actions/local-cloud/platform';
import { firstDogs } from './first-dogs.ts';
import type { OperatorCli } from './operator-cli.ts';

/** The content of `access.json`: the URLs and credentials that a client of this service needs. */
export interface Access {
  readonly base_url: string;
  readonly username: string;
  readonly password: string;
  /** The base URL of the token endpoint. If the user wrote the file, this field and the next three can be missing. */
  readonly auth_url?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly refresh_token?: string;
  /** The URL that returns the sent mail as JSON. Undefined if the service is deployed. */
  readonly mail_url?: string;
  /** The URL at which tests can set the clock. Undefined without the option `--clock-offset`. */
  readonly clock_url?: string;
}

const accessFile = 'access.json';

/** True if `access.json` does not exist: this start then creates the first user and dogs. */
export function isFirstStart(dataDirectory: string): boolean {
  return !existsSync(join(dataDirectory, accessFile));
}

/**
 * Writes `access.json`, and a configuration file for curl. If `access.json` does not exist yet, first creates the user, the
 * client, the grant and the credential through the operator CLI, and the first dogs through the API. `access.json` is written
 * last, so that the next start repeats these steps if this one is killed. If the base URL has changed, also moves the credential
 * to it.
 *
 * @param operator the operator CLI of this service
 * @param credential the name of the service's own credential; undefined if the settings name no credential
 * @throws UserError if the file exists, but lacks the username or the password
 * @throws Error if the operator CLI fails, or if the service does not create a dog
 */
export async function writeAccess(
  directory: DataDirectory,
  operator: OperatorCli,
  credential: string | undefined,
  { base_url, mail_url, clock_url }: Pick<Access, 'base_url' | 'mail_url' | 'clock_url'>,
): Promise<Access> {
  const file = directory.file(accessFile);
  const known = isFirstStart(directory.path) ? undefined : readAccess(file);
  const { mail_url: _, clock_url: __, ...kept } = known ?? (await firstAccess(operator));
  if (credential !== undefined && kept.auth_url && kept.auth_url !== base_url)
    await operator.run(['credentials', 'move', credential, kept.auth_url, base_url]);
  const access: Access = {
    ...kept,
    base_url,
    ...(kept.auth_url && { auth_url: base_url }),
    ...(mail_url && { mail_url }),
    ...(clock_url && { clock_url }),
  };
  if (!known) await Promise.all([putFirstDogs(access), storeCredential(operator, credential, access)]);
  directory.writeText('curlrc', curlConfigurationOf(access));
  directory.write(accessFile, access);
  return access;
}

function readAccess(file: string): Access {
  const access = parse(readFileSync(file, 'utf8'));
  if (typeof access?.username !== 'string' || typeof access.password !== 'string')
    throw new UserError(
      `${file} does not contain a username and a password as JSON. Restore it from a backup. If you delete it, the next start creates a new password.`,
    );
  return access;
}

function parse(text: string): Access | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A configuration file for curl, which keeps the password out of the command line and away from a proxy. */
function curlConfigurationOf({ username, password }: Access): string {
  // In a quoted value, these characters need a backslash.
  const user = `${username}:${password}`.replace(/["\\]/g, '\\$&');
  return `user = "${user}"\nnoproxy = "*"\n`;
}

async function firstAccess(operator: OperatorCli): Promise<Access> {
  log('Creating the first user and the first dogs …');
  return JSON.parse(await operator.run(['access', 'create', 'dog-lover', '--replace', '--yes', '--reveal']));
}

async function storeCredential(
  operator: OperatorCli,
  name: string | undefined,
  { auth_url, client_id, client_secret, refresh_token }: Access,
): Promise<void> {
  if (name === undefined) return;
  const credential = { auth_url, client_id, client_secret, refresh_token };
  await operator.run(['credentials', 'put', name], JSON.stringify(credential));
}

async function putFirstDogs({ base_url, username, password }: Access): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  // Sequential requests reuse the workers that the first request started.
  for (const [id, dog] of Object.entries(firstDogs)) {
    const response = await fetch(`${base_url}/v1/dogs/${id}/`, {
      method: 'PUT',
      headers: { Authorization: authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify(dog),
    });
    if (!response.ok)
      throw new Error(
        `The service did not create the dog ${id}: ${response.status} ${await response.text()}`,
      );
  }
}
