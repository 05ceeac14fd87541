import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Service } from '../../tools/service.ts';
import { sharedAccessFile } from '../support/shared-service.ts';

/** The file in a service's directory that contains the address to which the service's sign-in link leads. */
const file = 'sign-in-address.txt';

export type SignIn = ReturnType<typeof signInAt>;

/** Follows the sign-in link that a service has printed. The link works once, so this keeps the result for all test files. */
export async function keepSignIn({ directory, output }: Service): Promise<SignIn> {
  const [, link = ''] = /Sign in +(\S+)/.exec(output()) ?? [];
  const { headers } = await fetch(link, { redirect: 'manual' });
  const address = headers.get('Location') ?? '';
  writeFileSync(join(directory, file), address);
  return signInAt(address);
}

/** Returns the sign-in that `keepSignIn` has kept for the service of this worker. */
export function sharedSignIn(): SignIn {
  return signInAt(readFileSync(join(dirname(sharedAccessFile('console')), file), 'utf8'));
}

/** Returns the user, the access token, and the paths of the inbox and of the activity stream in an address of the console. */
function signInAt(address: string) {
  const fragment = new URLSearchParams(new URL(address).hash.slice(1));
  const parameter = (name: string) => fragment.get(name) ?? '';
  const [user, accessToken] = [parameter('user'), parameter('access_token')];
  return { address, user, accessToken, inbox: parameter('inbox'), feed: parameter('feed') };
}
