import type { Request } from './requests.ts';

/**
 * Returns the curl command for a request. The command does not follow redirects, so it shows the redirects that browsers hide.
 *
 * @param credentials `name:password`. If they are absent, the command reads the variable `AUTH`
 */
export function curlOf({ method, path, headers, body }: Request, base: string, credentials?: string): string {
  const user = credentials === undefined ? '"$AUTH"' : quoted(credentials);
  return [
    `curl -iu ${user}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(base + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}

/** Quotes a text as one word for a POSIX shell. */
export function quoted(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
