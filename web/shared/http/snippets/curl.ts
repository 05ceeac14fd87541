import { placeholders, type SnippetRequest } from './snippet-request.ts';

/** Returns a curl command. It does not follow redirects, so that it shows the redirects that browsers hide. */
export function curlSnippet({ method, url, headers, body, credentials }: SnippetRequest): string {
  const { lines, option } = authentication(credentials);
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  // curl replaces brackets and braces in a URL, even in quotes.
  const glob = /[[\]{}]/.test(url) ? ' --globoff' : '';
  const command = [
    `curl -i${option}${verb}${glob} ${quoted(url)}`,
    ...headers.map(([name, value]) => `-H ${quoted(headerField(name, value))}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
  return [...lines, command].join('\n');
}

function authentication(credentials: SnippetRequest['credentials']): { lines: string[]; option: string } {
  if (credentials === 'none') return { lines: [], option: '' };
  if ('password' in credentials)
    return { lines: [], option: `u ${quoted(`${credentials.user}:${credentials.password}`)}` };
  if ('accessToken' in credentials)
    return { lines: [], option: ` --oauth2-bearer ${quoted(credentials.accessToken)}` };
  if (credentials.withheld === 'accessToken')
    return {
      lines: [`ACCESS_TOKEN=${quoted(placeholders.accessToken)}`],
      option: ' --oauth2-bearer "$ACCESS_TOKEN"',
    };
  // Without a password in the option, curl asks for it.
  return { lines: [], option: `u ${quoted(credentials.user)}` };
}

/** Returns a header field in the syntax of curl, which sends an empty field only if a semicolon replaces its colon. */
function headerField(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

/** Quotes a text as one word for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
