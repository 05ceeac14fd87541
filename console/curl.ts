import type { Request } from './requests.ts';

/**
 * The command that sends a request. It follows no redirect, so that it shows what a browser hides.
 *
 * @param credentials `name:password`; without them the shell puts in those of the variable `AUTH`
 */
export function curlOf({ method, path, headers, body }: Request, base: string, credentials?: string): string {
  const user = credentials === undefined ? '"$AUTH"' : quoted(credentials);
  return [
    `curl -iu ${user}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(base + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}

/** A text as one word of a POSIX shell. */
export function quoted(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
