import { stringLiteral } from './literal.ts';
import { type SnippetRequest, variables } from './snippet-request.ts';

/** Returns a program that needs only Python 3.9 or later. Like the page, the program follows redirects. */
export function pythonSnippet({ method, url, headers, body, credentials }: SnippetRequest): string {
  const { modules, value } = authentication(credentials);
  const fields = headers.map(([name, text]) => `        ${stringLiteral(name)}: ${stringLiteral(text)},`);
  return [
    ...[...modules, 'urllib.error', 'urllib.request'].map((name) => `import ${name}`),
    '',
    'request = urllib.request.Request(',
    `    ${stringLiteral(url)},`,
    `    method='${method}',`,
    '    headers={',
    ...(value === undefined ? [] : [`        'Authorization': ${value},`]),
    ...fields,
    '    },',
    ...(body === undefined ? [] : [`    data=${stringLiteral(body)}.encode(),`]),
    ')',
    'try:',
    '    response = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as error:',
    '    response = error',
    'print(response.status, response.reason)',
    'print(response.read().decode())',
  ].join('\n');
}

function authentication(credentials: SnippetRequest['credentials']): { modules: string[]; value?: string } {
  if (credentials === 'none') return { modules: [] };
  const { user, kind, secret } = credentials;
  const modules = secret === undefined ? ['os'] : [];
  const value = secret === undefined ? `os.environ['${variables[kind]}']` : stringLiteral(secret);
  if (kind === 'accessToken') return { modules, value: `'Bearer ' + ${value}` };
  const text = `(${stringLiteral(`${user}:`)} + ${value})`;
  return { modules: ['base64', ...modules], value: `'Basic ' + base64.b64encode(${text}.encode()).decode()` };
}
