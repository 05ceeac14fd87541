import type { Credentials } from '../credentials.ts';
import type { Request } from './requests.ts';

/**
 * Returns the curl command for a request. The command does not follow redirects, so it shows the redirects that browsers hide.
 *
 * @param credentials if they are absent, the command reads the variable `AUTH`, which has the form `name:password`
 */
export function curlOf(
  { method, path, headers, body }: Request,
  base: string,
  credentials?: Credentials,
): string {
  return [
    `curl -i${authorizationOption(credentials)}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(base + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}

function authorizationOption(credentials: Credentials | undefined): string {
  if (credentials === undefined) return 'u "$AUTH"';
  if ('accessToken' in credentials) return ` --oauth2-bearer ${quoted(credentials.accessToken)}`;
  return `u ${quoted(`${credentials.user}:${credentials.password}`)}`;
}

/** Quotes a text as one word for a POSIX shell. */
export function quoted(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
