import { stringLiteral } from './literal.ts';
import { type SnippetRequest, variables } from './snippet-request.ts';

/**
 * Returns a program that uses the typed client. If the API does not define the path, a parameter or the body, the program still
 * runs, but has type errors.
 */
export function typescriptSnippet({
  method,
  base,
  path,
  headers,
  body,
  credentials,
}: SnippetRequest): string {
  const { route, params } = operationOf(path);
  const document = documentIn(body);
  const fieldsWhere = (isWanted: (name: string) => boolean) =>
    some(
      Object.fromEntries(headers.filter(([name, value]) => isWanted(name) && value !== 'application/json')),
    );
  const options = [
    ...membersOf({
      params: some({ ...params, header: fieldsWhere((name) => !ofContent.test(name)) }),
      headers: fieldsWhere((name) => ofContent.test(name)),
      body: document ?? body,
    }),
    ...(document || body === undefined ? [] : ['bodySerializer: String']),
    ...(isPage.test(route) ? ["parseAs: 'text'"] : []),
  ];
  const access = [`baseUrl: ${literal(base)}`, ...authentication(credentials)];
  const call = options.length > 0 ? `\n  ${literal(route)},${linesOf([objectOf(options)])}` : literal(route);
  return [
    "import { dogServiceClient } from './client/index.ts';",
    '',
    `const client = dogServiceClient({${linesOf(access)}});`,
    `const { data, error, response } = await client.${method}(${call});`,
    "console.log(response.status, data ?? error ?? '');",
  ].join('\n');
}

/** Header fields that are not parameters of operations. If their value is `application/json`, the client itself sends them. */
const ofContent = /^(accept|content)/i;

/** The paths of HTML pages. */
const isPage = /^\/(docs)?$|mail-s/;

/** Returns the operation's path and parameters, or the given URL as the path if the client would encode it differently. */
function operationOf(url: string): { readonly route: string; readonly params?: object } {
  if (!/^[\w./?=&-]+$/.test(url)) return { route: url };
  const [pathname = '', search] = url.replace(/(.)\/(?=\?|$)/, '$1').split('?');
  const path: Record<string, string> = {};
  const route = pathname.replace(/(dogs|barks|mail-subscription)\/([^/]+)/g, (_, parent, value) => {
    const name = parent === 'dogs' ? 'dog_id' : parent === 'barks' ? 'bark_id' : 'token';
    path[name] = value;
    return `${parent}/{${name}}`;
  });
  const query = [...new URLSearchParams(search)].map(([name, value]) => [
    name,
    name === 'limit' ? Number(value) : value,
  ]);
  return { route, params: { path: some(path), query: some(Object.fromEntries(query)) } };
}

function authentication(credentials: SnippetRequest['credentials']): string[] {
  if (credentials === 'none') return [];
  const { user, kind, secret } = credentials;
  const value = secret === undefined ? `process.env.${variables[kind]} ?? ''` : literal(secret);
  return [
    kind === 'password'
      ? `credentials: ${objectOf([`username: ${literal(user)}`, `password: ${value}`])}`
      : `token: ${value}`,
  ];
}

/** Returns the object that the client serializes to exactly this body, or undefined if there is none. */
function documentIn(body = ''): object | undefined {
  try {
    const document: unknown = JSON.parse(body);
    // In an object literal, the key `__proto__` sets the prototype.
    if (document instanceof Object && JSON.stringify(document) === body && !body.includes('__proto__'))
      return document;
  } catch {
    const form = new URLSearchParams(body);
    if (body.includes('=') && `${form}` === body) return Object.fromEntries(form);
  }
  return undefined;
}

function some(object: object): object | undefined {
  return JSON.stringify(object) === '{}' ? undefined : object;
}

function literal(value: unknown): string {
  if (typeof value === 'string') return stringLiteral(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  return value instanceof Object ? objectOf(membersOf(value)) : String(value);
}

function membersOf(object: object): string[] {
  return Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${/^[a-z]\w*$/i.test(name) ? name : stringLiteral(name)}: ${literal(value)}`);
}

function objectOf(members: readonly string[]): string {
  const line = `{ ${members.join(', ')} }`;
  return line.length <= 50 ? line : `{${linesOf(members)}}`;
}

function linesOf(parts: readonly string[]): string {
  return `\n${parts.map((part) => `  ${part.replaceAll('\n', '\n  ')},\n`).join('')}`;
}
