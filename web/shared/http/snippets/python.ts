import { stringLiteral } from './literal.ts';
import { placeholders, type SnippetRequest } from './snippet-request.ts';

/** Returns a program that uses the standard library of Python, version 3.9 or later. It follows redirects, as the page does. */
export function pythonSnippet({ method, url, headers, body, credentials }: SnippetRequest): string {
  const { modules, lines, value } = authentication(credentials);
  const fields = headers.map(([name, text]) => `        ${stringLiteral(name)}: ${stringLiteral(text)},`);
  return [
    ...[...modules, 'urllib.error', 'urllib.request'].map((name) => `import ${name}`),
    '',
    ...lines,
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

interface Authentication {
  readonly modules: readonly string[];
  readonly lines: readonly string[];
  /** Absent if the request has no credentials. */
  readonly value?: string;
}

function authentication(credentials: SnippetRequest['credentials']): Authentication {
  if (credentials === 'none') return { modules: [], lines: [] };
  if ('password' in credentials) return basic(`${credentials.user}:${credentials.password}`);
  if ('accessToken' in credentials)
    return { modules: [], lines: [], value: stringLiteral(`Bearer ${credentials.accessToken}`) };
  if (credentials.withheld === 'accessToken')
    return {
      modules: [],
      lines: [`ACCESS_TOKEN = ${stringLiteral(placeholders.accessToken)}`],
      value: "'Bearer ' + ACCESS_TOKEN",
    };
  return basic(`${credentials.user}:`, ' + getpass.getpass()', ['getpass']);
}

/** @param suffix code that adds the password to the user name, if the snippet asks for it */
function basic(text: string, suffix = '', modules: readonly string[] = []): Authentication {
  return {
    modules: ['base64', ...modules],
    lines: [`credentials = ${stringLiteral(text)}${suffix}`],
    value: "'Basic ' + base64.b64encode(credentials.encode()).decode()",
  };
}
