import { bypassProxy } from '@rest-actions/local-cloud/platform';
import type { Credentials } from '../../client/index.ts';
import { outputsOf, readAccessFile, readOperatorFile } from './deployment.ts';
import { UsageError } from './errors.ts';
import type { Options } from './options.ts';

export interface Service {
  readonly baseUrl: string;
  /** Only for the service on this machine. */
  readonly firstUser?: Credentials;
}

export const urlVariable = { DOGS_URL: 'the URL of the service, for commands that act as a user' };

/**
 * Options take precedence over environment variables. If neither names a service, returns the service on this machine. That
 * service must first prove its identity, because the client sends it a password.
 */
export async function serviceOf(options: Options): Promise<Service> {
  const { DOGS_URL, DOGS_STACK } = process.env;
  if (options.url && options.stack)
    throw new UsageError('Use either --url or --stack, because both name a service.');
  const url = options.url ?? (options.stack ? undefined : DOGS_URL);
  if (url) return { baseUrl: checkUrl(url) };
  const stack = options.stack ?? DOGS_STACK;
  if (stack) return { baseUrl: checkUrl((await outputsOf(stack)).BaseUrl) };
  await readOperatorFile();
  const { base_url, username, password } = readAccessFile();
  bypassProxy(base_url);
  return { baseUrl: base_url, firstUser: { username, password } };
}

function checkUrl(url: string): string {
  // `fetch` refuses a URL that contains a username.
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(url) || !URL.canParse(url))
    throw new UsageError(
      `"${url}" is not the URL of a service. Specify a URL such as https://dogs.example.com.`,
    );
  return url.replace(/\/+$/, '');
}
