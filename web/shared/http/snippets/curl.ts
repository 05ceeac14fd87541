import { type SnippetRequest, variables } from './snippet-request.ts';

/** The command does not follow redirects, so that its output shows them. Browsers hide redirects from pages. */
export function curlSnippet({ method, url, headers, body, credentials }: SnippetRequest): string {
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  // curl expands brackets and braces in a URL, even in quotes.
  const glob = /[[\]{}]/.test(url) ? ' --globoff' : '';
  return [
    `curl -i${authentication(credentials)}${verb}${glob} ${quoted(url)}`,
    ...headers.map(([name, value]) => `-H ${quoted(headerField(name, value))}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}

function authentication(credentials: SnippetRequest['credentials']): string {
  if (credentials === 'none') return '';
  const { user, kind, secret } = credentials;
  const value = secret === undefined ? `"$${variables[kind]}"` : quoted(secret);
  return kind === 'password' ? `u ${quoted(`${user}:`)}${value}` : ` --oauth2-bearer ${value}`;
}

/** curl sends an empty field only if a semicolon replaces its colon. */
function headerField(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

/** Quotes text as one word for a POSIX shell, if necessary. */
function quoted(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
