import { stringLiteral } from './literal.ts';
import { placeholders, type SnippetRequest } from './snippet-request.ts';

/** Returns a program for Node 22 or later, without dependencies. It follows redirects, as the page does. */
export function typescriptSnippet({ method, url, headers, body, credentials }: SnippetRequest): string {
  const { lines, value } = authentication(credentials);
  const fields = headers.map(([name, text]) => `    ${stringLiteral(name)}: ${stringLiteral(text)},`);
  return [
    ...lines,
    `const response = await fetch(${stringLiteral(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    ...(value === undefined ? [] : [`    'Authorization': ${value},`]),
    ...fields,
    '  },',
    ...(body === undefined ? [] : [`  body: ${bodyExpression(body)},`]),
    '});',
    'console.log(response.status, response.statusText);',
    'console.log(await response.text());',
  ].join('\n');
}

function authentication(credentials: SnippetRequest['credentials']): { lines: string[]; value?: string } {
  if (credentials === 'none') return { lines: [] };
  if ('password' in credentials)
    return { lines: [], value: basic(stringLiteral(`${credentials.user}:${credentials.password}`)) };
  if ('accessToken' in credentials)
    return { lines: [], value: stringLiteral(`Bearer ${credentials.accessToken}`) };
  if (credentials.withheld === 'accessToken')
    return {
      lines: [`const ACCESS_TOKEN = ${stringLiteral(placeholders.accessToken)};`],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the template is in the snippet
      value: '`Bearer ${ACCESS_TOKEN}`',
    };
  return {
    lines: [`const PASSWORD = ${stringLiteral(placeholders.password)};`],
    value: basic(`${stringLiteral(`${credentials.user}:`)} + PASSWORD`),
  };
}

/** Returns an expression for Basic credentials in UTF-8, which the service requires. `btoa` would encode them in Latin-1. */
function basic(expression: string): string {
  return `'Basic ' + Buffer.from(${expression}).toString('base64')`;
}

/** Returns a JSON body as an object, if `JSON.stringify` returns exactly the same text. */
function bodyExpression(body: string): string {
  try {
    const document: unknown = JSON.parse(body);
    // In an object literal, the key `__proto__` sets the prototype.
    if (JSON.stringify(document) === body && !body.includes('__proto__'))
      return `JSON.stringify(${JSON.stringify(document, null, 2).replaceAll('\n', '\n  ')})`;
  } catch {
    // The body is not JSON.
  }
  return stringLiteral(body);
}
