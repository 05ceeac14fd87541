import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { authorizationOf, type Credentials } from '../../web/shared/credentials.ts';
import { createDog, get, patchSchedule, postBark, type Request } from '../../web/shared/http/requests.ts';
import { quoted } from '../../web/shared/http/snippets/curl.ts';
import { stringLiteral } from '../../web/shared/http/snippets/literal.ts';
import { type Language, languages, snippetOf, withheld } from '../../web/shared/http/snippets/snippet.ts';

/** The program that runs a snippet, with the arguments before the snippet. */
const runners: Record<Language, readonly [string, ...string[]]> = {
  curl: ['bash', '-c'],
  typescript: [process.execPath, '--input-type=module', '--eval'],
  python: ['python3', '-c'],
};

const installed = languages.filter((language) => {
  const [program] = runners[language];
  return language !== 'python' || spawnSync(program, ['--version']).status === 0;
});

/** A request that arrived at the server. */
interface Arrival {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const arrivals: Arrival[] = [];

const server = createServer(async (request, response) => {
  const { method, url, headers } = request;
  arrivals.push({ method, url, headers, body: await text(request) });
  response.writeHead(201, { 'Content-Type': 'text/plain' }).end('It arrived.');
});

let base = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prod`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  arrivals.length = 0;
});

/**
 * Runs a snippet without a terminal.
 *
 * @param input the text that the program reads instead of the input of a user
 * @returns the output of the snippet
 */
async function run(language: Language, snippet: string, input = ''): Promise<string> {
  const [program, ...options] = runners[language];
  const { PATH = '' } = process.env;
  const child = spawn(program, [...options, snippet], {
    env: { PATH, HOME: '/nonexistent', LC_ALL: 'C.UTF-8' },
    // Without a terminal, curl and Python read the password from the standard input.
    detached: true,
  });
  child.stdin.on('error', () => {}).end(input);
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`The snippet ended with the code ${code}: ${errors}\n${snippet}`);
  return output;
}

async function arrivalOf(language: Language, snippet: string, input?: string): Promise<Arrival | undefined> {
  expect(await run(language, snippet, input)).toMatch(/201[\s\S]*It arrived\./);
  expect(arrivals).toHaveLength(1);
  return arrivals.pop();
}

/** Returns what arrives if the page itself sends the request. */
async function expectedArrival({ method, path, headers, body }: Request, sender: Credentials) {
  await fetch(base + path, {
    method,
    headers: { ...headers, Authorization: authorizationOf(sender) },
    body: body ?? null,
  });
  const arrival = arrivals.pop();
  const names = [...Object.keys(headers), 'Authorization', ...(body === undefined ? [] : ['Content-Type'])];
  return {
    method,
    url: arrival?.url,
    headers: expect.objectContaining(
      Object.fromEntries(names.map((name) => [name.toLowerCase(), arrival?.headers[name.toLowerCase()]])),
    ),
    body: body ?? '',
  };
}

const jane: Credentials = { user: 'jane', password: `MARK p'a"s$(id)\`id\`\\ w:ö🐕!` };
const withToken: Credentials = { user: 'jane', accessToken: 'MARK.b-c.d_e' };

const hostile = `it's "x" \\ $(touch x) \`id\` \${PATH} %s !! 🐕 é {a,b} [1-3] 'quoted' \\n \\u0041`;

const requests: Record<string, Request> = {
  'a GET': get('/v1/dogs/rex/'),
  'a query': get('/v1/dogs/?limit=5&after=a%2Fb&x=[1-3]&y={a,b}&z=$(id)`id`'),
  'a hostile path': get(`/v1/dogs/it's "x" $(id) \`id\` $PATH 🐕 é%0A%5C{a,b}[1-3]!*~;&|<>/`),
  'a hostile header': {
    method: 'PUT',
    path: '/v1/dogs/rex/',
    headers: { 'If-Match': `"it's" $(id) \`id\` \${PATH} \\ \\n %s !!`, 'X-Empty': '' },
    body: '{}',
  },
  'a hostile message': postBark('rex', { resource: 'barks', message: `${hostile}\nline 2`, async: true }),
  'a POST without a body': postBark('rex', { resource: 'bark', message: '', async: false }),
  'a DELETE': { method: 'DELETE', path: '/v1/dogs/rex/', headers: {} },
  'JSON with its own format': {
    method: 'PUT',
    path: '/v1/dogs/rex/',
    headers: { 'Content-Type': 'application/json' },
    body: '{\r\n\t"__proto__": {"a": 1.0, "a": 1e2},\n"b": null}\n',
  },
  'JSON with the key __proto__': {
    method: 'PUT',
    path: '/v1/dogs/rex/',
    headers: { 'Content-Type': 'application/json' },
    body: '{"__proto__":{"a":1}}',
  },
  'a body that is no JSON': {
    method: 'PATCH',
    path: '/v1/dogs/rex/',
    headers: {},
    body: `@/etc/hosts\n${hostile}\r\n\u2028'''"""`,
  },
};

describe.each(installed)('snippetOf() in %s', (language) => {
  test.each(Object.entries(requests))('sends %s as the page sends it', async (_, request) => {
    const expected = await expectedArrival(request, jane);
    expect(await arrivalOf(language, snippetOf(request, base, language, jane))).toMatchObject(expected);
  });

  test('sends the access token of a sign-in link', async () => {
    const arrival = await arrivalOf(language, snippetOf(get('/v1/dogs/'), base, language, withToken));
    expect(arrival?.headers.authorization).toBe('Bearer MARK.b-c.d_e');
  });

  test('sends a request without credentials', async () => {
    const request: Request = { ...get('/v1/dogs/'), sender: 'none' };
    const arrival = await arrivalOf(language, snippetOf(request, base, language, jane));
    expect(arrival?.headers).not.toHaveProperty('authorization');
  });

  test.each([jane, withToken])('does not contain a withheld secret', (credentials) => {
    const request = get('/v1/dogs/');
    expect(snippetOf(request, base, language, credentials)).toContain('MARK');
    expect(snippetOf(request, base, language, withheld(credentials))).not.toContain('MARK');
  });

  test('runs without the access token, because it defines a variable for it', async () => {
    const snippet = snippetOf(get('/v1/dogs/'), base, language, withheld(withToken));
    const [firstLine] = snippet.split('\n').filter((line) => line.includes('ACCESS_TOKEN'));
    expect(firstLine).toMatch(/^(const )?ACCESS_TOKEN ?= ?'put an access token here';?$/);
    const arrival = await arrivalOf(language, snippet.replace('put an access token here', 'a.b.c'));
    expect(arrival?.headers.authorization).toBe('Bearer a.b.c');
  });

  test('runs without the password, because it asks for it or defines a variable for it', async () => {
    const snippet = snippetOf(get('/v1/dogs/'), base, language, withheld(jane));
    const [withPassword, input] = [snippet.replace('put the password here', 'secret'), 'secret\n'];
    const arrival = await arrivalOf(language, withPassword, input);
    expect(arrival?.headers.authorization).toBe(authorizationOf({ user: 'jane', password: 'secret' }));
  });
});

test('snippetOf() names the user "user" if the page knows no user', () => {
  expect(snippetOf(get('/v1/dogs/rex/'), 'https://a', 'curl')).toBe('curl -iu user https://a/v1/dogs/rex/');
});

test('snippetOf() returns a short curl command', () => {
  const request = postBark('rex', { resource: 'barks', message: "it's", async: false });
  expect(snippetOf(request, 'https://a/prod', 'curl', { user: 'jane', password: 'secret' })).toBe(
    `curl -iu jane:secret -X POST https://a/prod/v1/dogs/rex/barks \\
  -H 'Accept: application/json' \\
  -H 'Content-Type: application/json' \\
  --data-raw '{"message":"it'\\''s"}'`,
  );
});

/** Text that a program can receive as an argument: well-formed, and without the byte 0. */
const argument = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0'));

test('quoted() returns a text that a shell reads as one word with the original text', () => {
  fc.assert(
    fc.property(fc.array(argument, { minLength: 1, maxLength: 20 }), (texts) => {
      const command = `printf '%s\\0' ${texts.map(quoted).join(' ')}`;
      const output = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
      expect(output).toBe(`${texts.join('\0')}\0`);
    }),
    { numRuns: 50 },
  );
});

test.each(['', "it's", '$(touch /tmp/x)', '`id`', '!!', '~', '*', 'a\nb', '\\', '"', '#', '-n'])(
  'quoted() preserves %j',
  (one) => {
    expect(execFileSync('sh', ['-c', `printf %s ${quoted(one)}`], { encoding: 'utf8' })).toBe(one);
  },
);

const samples = fc.sample(fc.string({ unit: 'binary' }), 300).map((one) => one.toWellFormed());

test('stringLiteral() returns a literal of TypeScript', () => {
  const list = [hostile, '\\"', "\\'", '\u2028', ...samples];
  expect(JSON.stringify(runInNewContext(`[${list.map(stringLiteral)}]`))).toBe(JSON.stringify(list));
});

if (installed.includes('python'))
  test('stringLiteral() returns a literal of Python', () => {
    const list = [hostile, '\\"', "\\'", '\u2028', ...samples];
    const code = `import json\nprint(json.dumps([${list.map(stringLiteral)}]))`;
    expect(JSON.parse(execFileSync('python3', ['-'], { input: code, encoding: 'utf8' }))).toEqual(list);
  });

test('createDog() sends If-None-Match, and patchSchedule() sends the time of the first attempt', () => {
  expect(createDog('rex', { barkEffects: ['record'] }).headers).toMatchObject({ 'If-None-Match': '*' });
  expect(patchSchedule('rex', { barks: null }, Date.UTC(2026, 0, 1))).toEqual({
    method: 'PATCH',
    path: '/v1/dogs/rex/',
    headers: { 'If-Unmodified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT', 'Content-Type': 'application/json' },
    body: '{"barks":null}',
  });
});
