import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Service } from '../../tools/service.ts';
import { sharedAccessFile } from '../support/shared-service.ts';

/** The file in a service's directory that contains the address to which the service's sign-in link leads. */
const file = 'sign-in-address.txt';

/** The user, the access token, and the paths of the inbox and of the activity stream. */
export interface SignIn {
  /** The URL of the console with the other fields in its fragment. A browser can load it several times. */
  readonly address: string;
  readonly user: string;
  readonly accessToken: string;
  readonly inbox: string;
  readonly feed: string;
}

/** Follows the sign-in link that a service has printed. The link works once, so this keeps the result for all test files. */
export async function keepSignIn(service: Service): Promise<void> {
  const { address } = await followSignInLink(service);
  writeFileSync(join(service.directory, file), address);
}

/** Returns the sign-in that `keepSignIn` has kept for the service of this worker. */
export function sharedSignIn(): SignIn {
  return signInAt(readFileSync(join(dirname(sharedAccessFile()), file), 'utf8'));
}

/** Follows the sign-in link in the output of a service. */
export async function followSignInLink({ output }: Service): Promise<SignIn> {
  const [, link = ''] = /Sign in +(\S+)/.exec(output()) ?? [];
  const { headers } = await fetch(link, { redirect: 'manual' });
  return signInAt(headers.get('Location') ?? '');
}

function signInAt(address: string): SignIn {
  const fragment = new URLSearchParams(new URL(address).hash.slice(1));
  const [user = '', accessToken = '', inbox = '', feed = ''] = ['user', 'access_token', 'inbox', 'feed'].map(
    (name) => fragment.get(name) ?? '',
  );
  return { address, user, accessToken, inbox, feed };
}
