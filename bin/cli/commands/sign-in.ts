import { readFileSync } from 'node:fs';
import type { Run } from '../command.ts';
import { localFile, readOperatorFile } from '../deployment.ts';
import { CommandFailed, UsageError } from '../errors.ts';

/** Prints a new link that signs a browser in to the console. The path at which the service creates it is readable only by its owner. */
export const signIn: Run = async ({ options, print, notice }) => {
  if (options.stack !== undefined)
    throw new UsageError('Only a local service has sign-in links. Run the command without --stack.');
  const { client } = await readOperatorFile();
  const paths = JSON.parse(readFileSync(localFile('paths.json'), 'utf8'));
  const response = await fetch(`${client.endpoint}${paths['sign-in']}`, { method: 'POST' });
  if (!response.ok)
    throw new CommandFailed(
      'The service has no sign-in links, because its access.json has no client or no refresh token. Sign in with the password.',
    );
  const url = await response.text();
  if (options.json) return { url };
  print(`${url}\n`);
  notice('The link works once, for 15 minutes. Earlier links no longer work.');
  return undefined;
};
