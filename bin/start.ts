import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { log } from '../local/platform/log.ts';
import { Shutdown } from '../local/platform/shutdown.ts';
import { UserError } from '../local/platform/user-error.ts';
import { type LocalCloud, startCloud } from '../local/start.ts';
import { type Access, writeAccess } from './start/access.ts';
import { readOptions } from './start/options.ts';
import { texts } from './start/texts.ts';

/** The directory of `cdk.json`. */
const project = resolve(import.meta.dirname, '..');

const shutdown = new Shutdown();

/** Starts the service on the local cloud. The first start also creates a user, a client, a credential and dogs. */
async function start(): Promise<void> {
  // All files that this process and its child processes create belong to the owner alone, wherever DATA_DIR is.
  process.umask(0o077);
  const { settings, ...options } = readOptions();
  const cloud = await startCloud({ project, settings }, { ...options, texts, shutdown });
  const first = !existsSync(cloud.directory.file('access.json'));
  // The first of the credentials that the service refreshes is its own.
  const [credential] = JSON.parse(cloud.template.outputs.Credentials ?? '[]') as { name: string }[];
  const access = await writeAccess(cloud.directory, credential?.name, {
    base_url: cloud.baseUrl,
    ...(cloud.mailUrl && { mail_url: cloud.mailUrl }),
  });
  printBanner(access, cloud, first);
}

/** Prints where the service is. The first start also prints the password and commands to try. */
function printBanner(
  { base_url, username, password }: Access,
  { inboxUrl, directory }: LocalCloud,
  first: boolean,
): void {
  log(`Dog service ready at ${base_url}`);
  if (first) log(`  user      ${username}\n  password  ${password}`);
  log(`  access    ${directory.file('access.json')}`);
  if (inboxUrl) log(`  inbox     ${inboxUrl}`);
  if (!first) return;
  const curl = `curl -iu ${username}:${password}`;
  log(`
Make a dog bark, read the dog, and make a dog send mail:
  ${curl} -X POST ${base_url}/v1/dogs/record-sync/barks
  ${curl} ${base_url}/v1/dogs/record-sync/
  ${curl} ${base_url}/v1/dogs/message-sync/barks -H 'Content-Type: application/json' -d '{"message":"Hello from the dog"}'`);
}

let exiting = false;

/** Stops the local cloud, then ends the process. Only the first call has an effect. */
async function exit(code: number): Promise<void> {
  if (exiting) return;
  exiting = true;
  await shutdown.run();
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void exit(0));

await start().catch((error: Error) => {
  console.error(error instanceof UserError ? error.message : error);
  return exit(1);
});
