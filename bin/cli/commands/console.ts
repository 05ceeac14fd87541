import { writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { linkFile, openInBrowser, redirectTo } from '../../browser.ts';
import type { Run } from '../command.ts';
import { readOperatorFile } from '../deployment.ts';
import { CommandFailed, notResponding, UsageError } from '../errors.ts';
import { localDocument, localFile } from '../local-files.ts';
import { serviceOf } from '../service.ts';

/** Requests the link from a secret path: only the data directory's owner can read the path. */
export const signIn: Run = async ({ options, print, notice }) => {
  if (options.stack || options.url)
    throw new UsageError('Only a local service has sign-in links. Run the command without --stack.');
  const url = await newLink();
  if (url === undefined)
    throw new CommandFailed(
      'The service has no sign-in links, because its access.json has no client or no refresh token. Sign in with the password.',
    );
  if (options.json) return { url };
  print(`${url}\n`);
  notice('The link works once, for 15 minutes. Earlier links no longer work.');
  return undefined;
};

/** Opens the console, and prints its URL in case no browser opens. A local service's URL is a new sign-in link, if possible. */
export const openConsole: Run = async ({ options, print }) => {
  const { baseUrl, firstUser } = await serviceOf(options);
  const link = firstUser && (await newLink());
  const url = link ?? `${baseUrl}/`;
  if (link) writeFileSync(localFile(linkFile), redirectTo(link), { mode: 0o600 });
  openInBrowser(link ? localFile(linkFile) : url);
  if (options.json) return { url };
  print(`Opening ${url}${link ? ' (works once)' : ''}\n`);
  return undefined;
};

const Paths = v.object({ 'sign-in': v.string() });

const timeoutMs = 5_000;

/** Returns undefined if the service on this machine has no sign-in links: see `addSignInPage`. */
async function newLink(): Promise<string | undefined> {
  const { client } = await readOperatorFile();
  const paths = localDocument('paths.json');
  if (Object(paths) !== paths)
    throw new CommandFailed(
      `${localFile('paths.json')} is missing or damaged. Restart the service with npm start.`,
    );
  if (!v.is(Paths, paths)) return undefined;
  const url = `${client.endpoint}${paths['sign-in']}`;
  const response = await fetch(url, { method: 'POST', signal: AbortSignal.timeout(timeoutMs) }).catch(
    (cause) => {
      throw notResponding(cause);
    },
  );
  return response.ok ? response.text() : undefined;
}
