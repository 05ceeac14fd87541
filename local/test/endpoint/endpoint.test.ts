import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { AwsCall } from '../../endpoint/emulator.ts';
import { AwsEndpoint } from '../../endpoint/endpoint.ts';
import { unguessablePath } from '../../platform/unguessable-path.ts';
import { eventually } from '../../testing/eventually.ts';
import { send } from '../../testing/raw-http.ts';

let endpoint: AwsEndpoint;
let calls: AwsCall[];

beforeEach(async () => {
  calls = [];
  endpoint = new AwsEndpoint();
  await endpoint.listen(0);
  endpoint.mount('dynamodb', async (call) => {
    calls.push(call);
    return { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'well' };
  });
});

afterEach(() => endpoint.close());

function authorizationOf(accessKeyId: string, service = 'dynamodb'): string {
  return `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20261121/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`;
}

const headersOf = (caller: string, service?: string) => ({
  Authorization: authorizationOf(endpoint.accessKeyOf(caller).accessKeyId, service),
  'x-amz-target': 'DynamoDB_20120810.GetItem',
  'content-type': 'application/x-amz-json-1.0',
});

function callAs(caller: string, service?: string, body: string | Buffer = '{}') {
  return send(endpoint.url, '/', { method: 'POST', headers: headersOf(caller, service), body });
}

describe('A call of an AWS service', () => {
  test('is that of the caller whose access key it names, and each caller keeps its key', async () => {
    for (const caller of ['Bark', 'Purge', 'Bark'])
      expect(await callAs(caller)).toMatchObject({ status: 200, body: 'well' });
    expect(calls.map(({ caller }) => caller)).toEqual(['Bark', 'Purge', 'Bark']);
  });

  test('needs a key with an ID of 128 random bits', () => {
    const ids = ['Bark', 'Purge'].map((caller) => endpoint.accessKeyOf(caller).accessKeyId);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^LOCAL[0-9A-F]{32}$/);
  });

  test('reaches its emulator unchanged', async () => {
    const body = Buffer.from([0, 255, 1, 254]);
    await callAs('Bark', 'dynamodb', body);
    expect(calls).toEqual([
      {
        caller: 'Bark',
        service: 'dynamodb',
        method: 'POST',
        path: '/',
        headers: expect.objectContaining({
          'x-amz-target': 'DynamoDB_20120810.GetItem',
          'content-type': 'application/x-amz-json-1.0',
        }),
        body,
      },
    ]);
  });

  test.each<[string, Record<string, string>]>([
    ['an unknown key', { Authorization: authorizationOf('KEYOFNOONE') }],
    ['no signature', {}],
    ['a password', { Authorization: 'Basic a2V5OmtleQ==' }],
    ['a truncated signature', { Authorization: 'AWS4-HMAC-SHA256 Credential=KEYOFNOONE/20261121' }],
  ])('with %s is refused', async (_, headers) => {
    const reply = await send(endpoint.url, '/', { method: 'POST', headers });
    expect(reply.status).toBe(403);
    expect(reply.headers['x-amzn-errortype']).toBe('UnrecognizedClientException');
    expect(JSON.parse(reply.body)).toMatchObject({ __type: 'UnrecognizedClientException' });
    expect(calls).toEqual([]);
  });

  test.each(['OPTIONS', 'POST', 'GET'])('gets no CORS header for %s', async (method) => {
    endpoint.addPage('/page', () => ({ contentType: 'text/html', body: '' }));
    const foreign = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
    const own = headersOf('Bark');
    for (const [path, headers] of Object.entries({ '/page': foreign, '/': { ...foreign, ...own } })) {
      const reply = await send(endpoint.url, path, { method, headers });
      expect(Object.keys(reply.headers).join()).not.toContain('access-control');
    }
  });

  test.each([
    ['sqs', 400, 'UnknownOperationException', 'The local cloud does not emulate sqs.'],
    // The SDK retries the call.
    ['dynamodb', 503, 'ServiceUnavailable', 'the database is gone'],
  ])('is refused if %s has no emulator, or one that fails', async (service, status, __type, message) => {
    endpoint.mount('dynamodb', () => Promise.reject(new Error('the database is gone')));
    const reply = await callAs('Bark', service);
    expect([reply.status, JSON.parse(reply.body)]).toEqual([status, { __type, message }]);
  });

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80', '127.0.0.2', '[::1]'])(
    'is refused if its Host is %s',
    async (host) => {
      const headers = { ...headersOf('Bark'), Host: host };
      expect((await send(endpoint.url, '/', { method: 'POST', headers })).status).toBe(421);
      expect(calls).toEqual([]);
    },
  );
});

describe('A page', () => {
  const secret = unguessablePath();
  const pathOf = (path: string) => `${secret}${path}`;
  const plain = () => ({ contentType: 'text/plain', body: '' });

  beforeEach(() => {
    const page = { contentType: 'text/html; charset=utf-8', body: '<p>é</p>' };
    expect(endpoint.addPage(pathOf('/'), () => page)).toBe(`${endpoint.url}${secret}/`);
    endpoint.addPage(pathOf('/mails/*'), plain);
    endpoint.addPage(pathOf('/broken'), () => {
      throw new Error('no page');
    });
  });

  test('is served without a signature, and may run no scripts', async () => {
    const { status, headers, body } = await send(endpoint.url, pathOf('/'));
    expect({ status, body }).toEqual({ status: 200, body: '<p>é</p>' });
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '9',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none';/),
    });
    expect(headers['content-security-policy']).not.toMatch(/script|\*/);
  });

  const otherKey = {
    authorization: 'AWS4-HMAC-SHA256 Credential=OTHER/20261121/us-east-1/scheduler/aws4_request',
  };
  test.each<[request: string, status: number, headers?: Record<string, string>]>([
    ['HEAD …/', 200],
    ['POST …/', 403],
    ['DELETE …/other', 403],
    ['GET …/other', 404],
    // A signed GET is a call to a service.
    ['GET …/', 403, otherKey],
    ['GET …/', 421, { Host: 'evil.example' }],
    ['GET …/', 421, { Host: 'localhost.evil.example' }],
    // The secret part of the URL is missing, wrong or incomplete.
    ['GET /', 404],
    [`GET /${'A'.repeat(43)}/`, 404],
    ['GET …', 404],
    ['GET …/mails/one', 200],
    ['GET …/mails', 404],
    ['GET …/mails/one/two', 404],
    ['GET …/mails/one/', 404],
    ['GET …/broken', 503],
    // The operator CLI checks a proof. A challenge has 43 characters of base64url.
    ['GET /proof/', 404],
    [`GET /proof/${'c'.repeat(44)}`, 404],
    [`GET /proof/${'c'.repeat(42)}.`, 404],
  ])('responds to %s with %i', async (line, expected, headers = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const reply = await send(endpoint.url, path.replace('…', secret), { method, headers });
    expect(reply.status).toBe(expected);
    expect(reply.body).not.toContain('<p>');
  });

  test.each<[Record<string, string>, boolean]>([
    [{}, false],
    [{ 'Sec-Purpose': 'prefetch' }, true],
    [{ 'Sec-Purpose': 'prefetch;prerender' }, true],
    [{ Purpose: 'prefetch' }, true],
    [{ 'X-Purpose': 'preview' }, true],
    [{ 'X-Moz': 'prefetch' }, true],
    [{ 'Sec-Purpose': 'other', 'Sec-Fetch-Mode': 'navigate' }, false],
  ])('learns from %j whether the user opens it: not if %s', async (headers, expected) => {
    endpoint.addPage('/once', ({ isPrefetch }) => ({ contentType: 'text/plain', body: String(isPrefetch) }));
    expect((await send(endpoint.url, '/once', { headers })).body).toBe(String(expected));
  });

  test('can be a redirect', async () => {
    endpoint.addPage('/from', async () => ({ location: 'http://127.0.0.1/to' }));
    const { status, headers, body } = await send(endpoint.url, '/from');
    expect([status, headers.location, body]).toEqual([303, 'http://127.0.0.1/to', '']);
  });
});

describe('An action', () => {
  const path = `${unguessablePath()}/mails`;
  const deletion = jest.fn();

  beforeEach(() => {
    deletion.mockClear();
    endpoint.addAction('DELETE', path, deletion);
  });

  test('is performed for a program and for a page of the endpoint, and receives the query', async () => {
    const options = { method: 'DELETE' };
    expect(await send(endpoint.url, `${path}?after=one`, options)).toMatchObject({ status: 204, body: '' });
    expect(deletion).toHaveBeenCalledWith(new URLSearchParams({ after: 'one' }));
    const headers = { Origin: endpoint.url, 'Sec-Fetch-Site': 'same-origin' };
    expect((await send(endpoint.url, path, { ...options, headers })).status).toBe(204);
    expect(deletion).toHaveBeenCalledTimes(2);
  });

  test.each<[method: string, status: number, headers: Record<string, string>]>([
    ['DELETE', 403, { Origin: 'https://evil.example' }],
    ['DELETE', 403, { Origin: 'http://127.0.0.1:1' }],
    ['DELETE', 403, { 'Sec-Fetch-Site': 'cross-site' }],
    ['DELETE', 403, { 'Sec-Fetch-Site': 'same-site' }],
    ['GET', 404, {}],
    ['POST', 403, {}],
  ])('is not performed by %s: %i %j', async (method, status, headers) => {
    expect((await send(endpoint.url, path, { method, headers })).status).toBe(status);
    expect(deletion).not.toHaveBeenCalled();
  });
});

describe('An event stream', () => {
  const path = `${unguessablePath()}/events`;
  const listeners = new Set<() => void>();

  beforeEach(() => {
    listeners.clear();
    endpoint.addPage(path, () => ({
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    }));
  });

  async function open(): Promise<IncomingMessage> {
    const client = request(`${endpoint.url}${path}`, { agent: false }).end();
    client.on('error', () => {});
    const [message] = await once(client, 'response');
    message.setEncoding('utf8');
    expect(await once(message, 'data')).toEqual(['retry: 1000\n\n']);
    return message;
  }

  test('has no listener after the client has closed the connection, or for HEAD', async () => {
    const message = await open();
    expect(listeners.size).toBe(1);
    message.destroy();
    await eventually(async () => expect(listeners.size).toBe(0));
    expect(await send(endpoint.url, path, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    expect(listeners.size).toBe(0);
  });

  test('ends when the endpoint closes', async () => {
    const message = await open();
    const error = once(message, 'error');
    endpoint.close();
    expect(await error).toMatchObject([{ message: 'aborted' }]);
  });
});

test('The endpoint listens on another port if the requested one is in use', async () => {
  const other = new AwsEndpoint();
  await other.listen(Number(new URL(endpoint.url).port));
  const { url } = other;
  const { status } = await send(url, '/').finally(() => other.close());
  expect(status).toBe(404);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(url).not.toBe(endpoint.url);
});

describe('A connection that is used for a second call', () => {
  let agent: Agent;
  beforeEach(() => {
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
    endpoint.mount('ses', async () => ({ status: 200, headers: {}, body: 'well' }));
  });
  afterEach(() => agent.destroy());

  async function callOnIt(service: string): Promise<number | undefined> {
    const options = { method: 'POST', headers: headersOf('Bark', service), agent };
    const sending = request(endpoint.url, options).end('{}');
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return response.statusCode;
  }

  test('is reset by SES, as if the function had been frozen after its first mail', async () => {
    expect(await callOnIt('ses')).toBe(200);
    await expect(callOnIt('ses')).rejects.toThrow('ECONNRESET');
    expect(await callOnIt('ses')).toBe(200);
  });
});
