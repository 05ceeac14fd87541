import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { authorizationOf, type Credentials } from '../../web/shared/credentials.ts';
import { get, postBark, type Request } from '../../web/shared/http/requests.ts';
import { snippetCredentials, snippetOf } from '../../web/shared/http/snippets/snippet.ts';
import { installed, runExamples } from '../support/examples.ts';
import { anyText } from '../support/texts.ts';

type Arrival = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { readonly body: string };

/** The requests that arrived at the server, by the first part of the path. */
const arrivals = new Map<string, Arrival[]>();

const server = createServer(async (request, response) => {
  const { method, url, headers } = request;
  const arrival = { method, url, headers, body: await text(request) };
  const stage = url?.split('/')[1] ?? '';
  arrivals.set(stage, [...(arrivals.get(stage) ?? []), arrival]);
  response.writeHead(201, { 'Content-Type': 'application/json' }).end('"It arrived."');
});

let origin = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Returns what arrives if the page itself sends a request. */
function arrivalFromPage(stage: string, { method, path, body, ...request }: Request): Arrival {
  const headers = { ...request.headers, Authorization: authorizationOf(jane) };
  const sent = new globalThis.Request(`${origin}/${stage}${path}`, { method, headers, body: body ?? null });
  const url = sent.url.slice(origin.length);
  return { method, url, headers: Object.fromEntries(sent.headers), body: body ?? '' };
}

/** Returns the URL that the typed client uses for the same resource. */
const withoutSlash = (url = '') => url.replace(/\/(?=\?|$)/, '');

const jane: Credentials = { user: 'jane', password: `MARK p'a"s$(id)\`id\`\\ w:ö🐕!` };
const withToken: Credentials = { user: 'jane', accessToken: 'MARK.b-c.d_e' };

const hostile = `it's "x" \\ $(touch x) \`id\` \${PATH} %s !! 🐕 é {a,b} [1-3] 'quoted' \\n \\u0041`;

const put = {
  method: 'PUT',
  path: '/v1/dogs/rex/',
  headers: { 'Content-Type': 'application/json' },
} as const;

const requests: Record<string, Request> = {
  'a GET': get('/v1/dogs/rex/'),
  'a query': get('/v1/dogs/?limit=5&after=a%2Fb&x=[1-3]&y={a,b}&z=$(id)`id`'),
  'a hostile path': get(`/v1/dogs/it's "x" $(id) \`id\` $PATH 🐕 é%0A%5C{a,b}[1-3]!*~;&|<>/`),
  'a hostile header': {
    ...put,
    headers: { 'If-Match': `"it's" $(id) \`id\` \${PATH} \\ \\n %s !!`, 'X-Empty': '' },
    body: '{}',
  },
  'a hostile message': postBark('rex', {
    resource: 'barks',
    message: `${hostile}\nline 2`,
    preferences: ['respond-async'],
    idempotencyKey: 'k',
  }),
  'random texts': postBark('rex', {
    resource: 'barks',
    message: fc.sample(anyText, 300).join(' ').toWellFormed(),
  }),
  'a POST without a body': postBark('rex', { resource: 'bark', message: '' }),
  'a DELETE': { ...put, method: 'DELETE', headers: {} },
  'JSON with its own format': {
    ...put,
    body: '{\r\n\t"__proto__": {"a": 1.0, "a": 1e2},\n"b": null}\n',
  },
  'a body that a shell expands': { ...put, body: '~' },
  'JSON with the key __proto__': { ...put, body: '{"__proto__":{"a":1}}' },
  'a body that is no JSON': {
    ...{ ...put, method: 'PATCH', headers: {} },
    body: `@/etc/hosts\n${hostile}\r\n\u2028'''"""`,
  },
};

describe.each(installed)('snippetOf() in %s', (language) => {
  const [shown, shownToken] = [snippetCredentials(jane, true), snippetCredentials(withToken, true)];
  const [withheld, withheldToken] = [snippetCredentials(jane, false), snippetCredentials(withToken, false)];
  const snippet = (stage: string, request: Request, credentials: Parameters<typeof snippetOf>[3]) =>
    snippetOf(request, `${origin}/${stage}`, language, credentials);
  const list = get('/v1/dogs/');
  let output = '';
  let count = 0;

  beforeAll(async () => {
    arrivals.clear();
    const snippets = [
      ...Object.values(requests).map((request, i) => snippet(`${i}`, request, shown)),
      snippet('token', list, shownToken),
      snippet('none', { ...list, sender: 'none' }, shown),
      snippet('withheld-token', list, withheldToken),
      snippet('withheld-password', list, withheld),
    ];
    count = snippets.length;
    output = await runExamples(language, snippets, {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      ACCESS_TOKEN: 'a.b.c',
      PASSWORD: "p'a s",
    });
  });

  function arrivalOf(stage: string): Arrival | undefined {
    expect(arrivals.get(stage)).toHaveLength(1);
    return arrivals.get(stage)?.[0];
  }

  test('prints the status and the body of each response', () => {
    expect(output.match(/201[\s\S]*?It arrived\./g)).toHaveLength(count);
  });

  test.each(Object.entries(requests).map(([name, request], i) => [name, `${i}`, request] as const))(
    'sends %s as the page sends it',
    (_, stage, request) => {
      const arrival = arrivalOf(stage);
      const { url, ...expected } = arrivalFromPage(stage, request);
      expect(arrival).toMatchObject(expected);
      expect([url, withoutSlash(url)]).toContain(arrival?.url);
    },
  );

  test.each([
    ['the access token of a sign-in link', 'token', 'Bearer MARK.b-c.d_e'],
    ['no credentials', 'none', undefined],
    ['a withheld access token from an environment variable', 'withheld-token', 'Bearer a.b.c'],
    [
      'a withheld password from an environment variable',
      'withheld-password',
      authorizationOf({ user: 'jane', password: "p'a s" }),
    ],
  ])('sends %s', (_, stage, authorization) => {
    expect(arrivalOf(stage)?.headers.authorization).toBe(authorization);
  });

  test.each([jane, withToken])('does not contain a withheld secret', (credentials) => {
    expect(snippet('', list, snippetCredentials(credentials, true))).toContain('MARK');
    expect(snippet('', list, snippetCredentials(credentials, false))).not.toContain('MARK');
  });
});
