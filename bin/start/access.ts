import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DataDirectory } from '../../local/platform/data-directory.ts';
import { log } from '../../local/platform/log.ts';
import { firstDogs } from './first-dogs.ts';

/** What `access.json` says: all that a client of this service needs. */
export interface Access {
  readonly base_url: string;
  readonly username: string;
  readonly password: string;
  /** The token endpoint's URL and the client. A file that a user wrote may lack these. */
  readonly auth_url?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly refresh_token?: string;
  /** Answers the mails kept, as JSON; absent where mail goes to a service of the user's. */
  readonly mail_url?: string;
}

/**
 * Makes the first user, client and credential, and the first dogs, through the operator's command line and the API, unless
 * a former start has done so. `access.json` is written last: a start that was killed before is begun anew.
 */
export async function writeAccess(
  directory: DataDirectory,
  credential: string | undefined,
  { base_url, mail_url }: Pick<Access, 'base_url' | 'mail_url'>,
): Promise<Access> {
  const file = directory.file('access.json');
  const known: Access | undefined = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const { mail_url: _, ...kept } = known ?? (await firstAccess(directory, credential));
  if (credential !== undefined && kept.auth_url && kept.auth_url !== base_url)
    await operate(directory, 'credentials', 'move', credential, kept.auth_url, base_url);
  const access: Access = {
    ...kept,
    base_url,
    ...(kept.auth_url && { auth_url: base_url }),
    ...(mail_url && { mail_url }),
  };
  if (!known) await putFirstDogs(access);
  directory.write('access.json', access);
  return access;
}

async function firstAccess(directory: DataDirectory, credential: string | undefined): Promise<Access> {
  log('Making the first user and the first dogs …');
  const made = await operate(
    directory,
    ...['access', 'create', 'dog-lover', '--replace'],
    ...(credential === undefined ? [] : ['--credential', credential]),
  );
  return JSON.parse(made);
}

/** Runs the operator's command line on this service. @returns what it prints: JSON */
async function operate(directory: DataDirectory, ...parameters: string[]): Promise<string> {
  const command = [join(import.meta.dirname, '../operator.ts'), ...parameters, '--json'];
  const env = { ...process.env, DATA_DIR: directory.path };
  const { stdout } = await promisify(execFile)(process.execPath, command, { env }).catch(
    ({ stderr }: { stderr: string }) => {
      throw new Error(`The operator's command line failed: ${stderr}`);
    },
  );
  return stdout;
}

async function putFirstDogs({ base_url, username, password }: Access): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  for (const [id, dog] of Object.entries(firstDogs)) {
    const answer = await fetch(`${base_url}/v1/dogs/${id}/`, {
      method: 'PUT',
      headers: { Authorization: authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify(dog),
    });
    if (!answer.ok)
      throw new Error(`The dog ${id} could not be made: ${answer.status} ${await answer.text()}`);
  }
}
