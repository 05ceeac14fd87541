import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { Api } from '../../../bin/verify/api.ts';
import { CleanUp, dogFactory } from '../../../bin/verify/clean-up.ts';
import { runChecks, suite } from '../../../bin/verify/suite.ts';
import { client, service, useService } from '../support.ts';
import { withDatabase } from '../tables.ts';

useService();

interface Exchange {
  readonly method: string;
  readonly path: string;
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

let proxy: Server;
/** Changes a response of the service. */
let spoil: (exchange: Exchange) => void = () => {};

beforeAll(async () => {
  const { base_url } = service.access;
  proxy = createServer(async (incoming, outgoing) => {
    const { method = '', url: path = '', rawHeaders } = incoming;
    const body = await buffer(incoming);
    // The service refuses the name of another host.
    const headersSent = rawHeaders.map((text, i) =>
      rawHeaders[i - 1] === 'Host' ? new URL(base_url).host : text,
    );
    const sent = request(`${base_url}${path}`, { method, headers: headersSent }).end(body);
    const [received] = await once(sent, 'response');
    const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...headers } = received.headers;
    const exchange = { method, path, status: received.statusCode, headers, body: await buffer(received) };
    spoil(exchange);
    outgoing.writeHead(exchange.status, exchange.headers as Record<string, string>).end(exchange.body);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});

afterEach(() => {
  spoil = () => {};
});

afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});

const proxyUrl = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

/** @param onStart receives the process of the command */
async function verify(onStart: (command: ChildProcess) => void = () => {}) {
  const options = ['bin/verify.ts', '--url', proxyUrl(), '--wait', '1'];
  const env = { ...process.env, DATA_DIR: service.directory };
  const command = spawn(process.execPath, options, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onStart(command);
  const output = Promise.all([text(command.stdout), text(command.stderr)]);
  const [code] = await once(command, 'close');
  const [stdout, stderr] = await output;
  return { code, stdout, stderr };
}

async function existing(): Promise<unknown> {
  const access = await withDatabase(service.directory, (database, { AccessTable: TableName }) =>
    database.send(new ScanCommand({ TableName, ConsistentRead: true })),
  );
  const items = access.Items?.map((item) => JSON.stringify(item)).sort();
  return [(await client.get('/v1/dogs?limit=100')).text, items];
}

test('npm run verify proves what a local service can prove, and deletes what it has created', async () => {
  const before = await existing();
  const { code, stdout, stderr } = await verify();
  expect(stdout.match(/^FAILED .*\n.*/gm)).toBeNull();
  expect(stdout).toMatch(/^Proven: \d+\. Failed: 0\. Not proven here: 4\.$/m);
  expect([code, stderr]).toEqual([0, '']);
  expect(await existing()).toEqual(before);
});

test('npm run verify deletes what it has created even after Ctrl-C', async () => {
  const before = await existing();
  const { code, stderr } = await verify((command) => {
    let responses = 0;
    spoil = () => {
      responses += 1;
      if (responses === 10) command.kill('SIGINT');
    };
  });
  const notice = 'Deleting what the checks have created. Press Ctrl-C again to leave it.\n';
  expect([code, stderr]).toEqual([130, notice]);
  expect(await existing()).toEqual(before);
});

test('npm run verify names what it could not delete', async () => {
  spoil = (exchange) => {
    if (exchange.method === 'DELETE' && exchange.path.endsWith('-1/')) exchange.status = 503;
  };
  const { code, stderr } = await verify();
  expect(stderr).toMatch(
    /^Not deleted: the dog verify-[0-9a-f]{8}-1\. DELETE \/v1\/dogs\/verify-[0-9a-f]{8}-1\/ returned 503 instead of 204 or 404\.\n$/,
  );
  expect(code).toBe(1);
});

/** Runs the checks whose statements contain the text, in this process. Returns what the failed ones found. */
async function failuresOf(part: string): Promise<string[]> {
  const { username, password, client_id = '', client_secret = '', refresh_token = '' } = service.access;
  const { signal } = new AbortController();
  const urls = { baseUrl: proxyUrl(), publishedUrl: service.access.base_url };
  const api = new Api(urls, { username, password }, signal);
  const cleanUp = new CleanUp();
  const deployment = {
    api,
    client: { client_id, client_secret, refresh_token },
    newDog: dogFactory(`spoiled-${crypto.randomUUID().slice(0, 8)}`, api, api, cleanUp),
    stack: undefined,
    longestWaitMs: 3_000,
    pollMs: 100,
    signal,
  };
  const checks = suite.flat().filter(({ statement }) => statement.includes(part));
  const failures: string[] = [];
  await runChecks([checks], deployment, ({ state, text: found = '' }) => {
    if (state === 'FAILED') failures.push(found);
  });
  await cleanUp.run();
  return failures;
}

const without = (name: string) => (exchange: Exchange) => {
  const { [name]: _, ...others } = exchange.headers;
  exchange.headers = others;
};

const withStatus = (from: number, to: number) => (exchange: Exchange) => {
  if (exchange.status === from) exchange.status = to;
};

const withBody = (path: RegExp, from: RegExp, to: string) => (exchange: Exchange) => {
  if (exchange.status === 200 && path.test(exchange.path))
    exchange.body = Buffer.from(exchange.body.toString().replace(from, to));
};

const dogPath = /^\/v1\/dogs\/[^/]+\/$/;

const spoiled: readonly [detail: string, statement: string, spoil: typeof spoil, found: RegExp][] = [
  [
    'a 200 instead of a 205',
    'returns 205 without a body',
    withStatus(205, 200),
    /^PATCH \S+ returned 200 instead of 205\.$/,
  ],
  ['a 302 instead of a 303', 'returns 303', withStatus(303, 302), /^POST \S+ returned 302 instead of 303\.$/],
  ['a 200 instead of a 304', 'returns 304', withStatus(304, 200), /^GET \S+ returned 200 instead of 304\.$/],
  [
    'a 403 instead of a 401',
    'without credentials',
    withStatus(401, 403),
    /^GET \/v1\/dogs returned 403 instead of 401\./,
  ],
  [
    'a lost WWW-Authenticate',
    'without credentials',
    without('www-authenticate'),
    /^The 401 of GET \/v1\/dogs has no WWW-Authenticate/,
  ],
  ['a lost ETag', 'HEAD returns', without('etag'), /^The 200 of GET \S+ has no ETag\.$/],
  [
    'a lost Allow',
    'unsupported method',
    without('allow'),
    /^The 405 of DELETE \/v1\/dogs has no Allow instead of GET, HEAD\.$/,
  ],
  [
    'an ETag that becomes weak',
    'known ETag',
    (exchange) => {
      const { etag } = exchange.headers;
      if (etag) exchange.headers.etag = `W/${etag}`;
    },
    /^The 200 of GET \S+ has ETag: W\/\S+ instead of/,
  ],
  [
    'a cut path in Location',
    'in Location, below the base URL',
    (exchange) => {
      const { location } = exchange.headers;
      if (location) exchange.headers.location = location.replace('/v1/dogs', '/dogs');
    },
    /^The 201 of POST \S+ has Location: \S+, which is not the URL of /,
  ],
  [
    'a path that needs its slash',
    'with and without a slash',
    (exchange) => {
      if (/^\/v1\/dogs\/[^/]+$/.test(exchange.path)) exchange.status = 404;
    },
    /^GET \S+ returned 404 instead of 200\.$/,
  ],
  [
    'a lost compression',
    'compresses a large response',
    without('content-encoding'),
    /^The 200 of GET \/openapi\.json has no Content-Encoding instead of gzip\.$/,
  ],
  [
    'a renamed header field',
    'header field but',
    (exchange) => {
      exchange.headers['x-amzn-remapped-date'] = 'x';
    },
    /^Some responses contain x-amzn-remapped-date\.$/,
  ],
  [
    'an occurrence at which the dog does not bark',
    'EventBridge Scheduler',
    withBody(dogPath, /"barkCount":\d+/, '"barkCount":0'),
    /^The barkCount of \S+ is 0 instead of 1\. That was so for \d+ seconds\.$/,
  ],
  [
    'a bark that happens twice',
    'even if it arrives twice',
    withBody(dogPath, /"barkCount":1/, '"barkCount":2'),
    /^The barkCount of \S+ is 2 instead of 1\.$/,
  ],
  [
    'a bounce that SES does not report',
    'bounced',
    withBody(dogPath, /"suspended":/, '"other":'),
    /^The address is not suspended with the reason "bounced"\. That was so for \d+ seconds\.$/,
  ],
  [
    'a new refresh token',
    'accepts a form',
    withBody(/^\/oauth2/, /^\{/, '{"refresh_token":"x",'),
    /^The rest of the token response is \{"refresh_token":"x"\} instead of \{\}\.$/,
  ],
];

test.each(spoiled)('npm run verify detects %s', async (_, statement, change, found) => {
  spoil = change;
  expect(await failuresOf(statement)).toEqual([expect.stringMatching(found)]);
});
