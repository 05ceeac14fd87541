import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Agent, request, STATUS_CODES } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { mock } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { Gateway } from '../../../local/gateway/server.ts';
import { FunctionError, TooManyRequestsException } from '../../../local/lambda/errors.ts';
import { type Activity, onActivity } from '../../../local/platform/activity.ts';
import { UserError } from '../../../local/platform/user-error.ts';
import { account, arn } from '../../../local/template/arns.ts';
import { readAssembly } from '../../../local/template/synthesize.ts';
import { apiModelOf, functionArn } from '../../support/local-api.ts';
import { synthesized } from '../../support/prepare.ts';
import { exchange, type Reply, type RequestOptions, send } from '../../support/raw-http.ts';

const methods = {
  'GET /dogs': 'ListDogs',
  'GET /dogs/{id}': 'GetDog',
  'PUT /dogs/{id}': 'PutDog',
  'ANY /open': '!Open',
  'ANY /open/{id}': '!OpenOne',
  'ANY /{proxy+}': '!Fallback',
};

/** The gateway responses of the stack. */
const gatewayResponses = readAssembly(synthesized)
  .template.ofType('AWS::ApiGateway::GatewayResponse')
  .map(({ properties }) => properties);

type Handler = (event: APIGatewayProxyEvent) => unknown;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The format of `JKJaXmPLvHcESHA=`, which is the example in the AWS documentation. */
const extendedId = /^[\w-]{15}=$/;
const traceId = /^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/;
const logged = jest.spyOn(console, 'log').mockImplementation(() => {});
let gateway: Gateway;
let url: string;
let invocations: { name: string; event: APIGatewayProxyEvent }[];
/** The function handlers, by name. All other functions return 200. */
let functions: Record<string, Handler>;

beforeEach(async () => {
  logged.mockClear();
  gateway = new Gateway();
  url = await gateway.listen('127.0.0.1', 0);
  invocations = [];
  functions = {};
  serve();
});

afterEach(async () => {
  mock.timers.reset();
  await gateway.close(0);
});

function serve(cacheSeconds = 60): void {
  gateway.serve(apiModelOf({ methods, cacheSeconds, gatewayResponses }), async (invokedArn, event) => {
    const name = invokedArn.split(':').at(-1) ?? '';
    invocations.push({ name, event: event as APIGatewayProxyEvent });
    return (functions[name] ?? (() => ({ statusCode: 200, body: '{}' })))(event as APIGatewayProxyEvent);
  });
}

function call(path: string, options?: RequestOptions): Promise<Reply> {
  return send(url, path, options);
}

function callAs(user: string, path: string, options: RequestOptions = {}): Promise<Reply> {
  return call(path, { ...options, headers: { ...options.headers, Authorization: user } });
}

async function exchangeText(text: string, options?: { halfClose: boolean }): Promise<string> {
  return String(await exchange(url, [Buffer.from(text)], options));
}

/** Sends bytes, which need not be a valid request, and returns the only response. */
async function exchangeReply(text: string): Promise<Reply> {
  const [head = '', body = ''] = (await exchangeText(text)).split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const [, status, phrase] = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(statusLine) ?? [];
  expect(phrase).toBe(STATUS_CODES[Number(status)]);
  const fields = lines.map((line) => [line.replace(/:.*/, '').toLowerCase(), line.replace(/^[^:]*: /, '')]);
  return { status: Number(status), headers: Object.fromEntries(fields), rawHeaders: [], body };
}

/** The event of the only invocation of a function. */
function eventOf(name: string): APIGatewayProxyEvent {
  const [only, ...others] = invocations.filter((invocation) => invocation.name === name);
  if (!only || others.length > 0) throw new Error(`${name} was not invoked once.`);
  return only.event;
}

function expectProblem(reply: Reply, status: number, title?: string): void {
  expect(reply.status).toBe(status);
  expect(reply.headers).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(extendedId),
  });
  const problem = JSON.parse(reply.body);
  expect(problem.instance).toBe(`#${reply.headers['x-request-id']}`);
  if (title) expect(problem).toMatchObject({ title, status });
}

describe('The event of a request', () => {
  test('has all fields of an event of API Gateway', async () => {
    const { host } = new URL(url);
    const before = Date.now();
    await call('/open/rex?a=1&b=2&a=3', {
      method: 'POST',
      headers: { 'X-Word': 'woof', 'User-Agent': 'tester', 'Content-Type': 'text/plain' },
      body: 'bow wow',
    });
    const event = eventOf('OpenOne');
    expect(event).toEqual({
      resource: '/open/{id}',
      path: '/open/rex',
      httpMethod: 'POST',
      headers: {
        'X-Word': 'woof',
        'User-Agent': 'tester',
        'Content-Type': 'text/plain',
        Host: host,
        'X-Amzn-Trace-Id': expect.stringMatching(traceId),
        'X-Forwarded-For': '127.0.0.1',
        'X-Forwarded-Port': new URL(url).port,
        'X-Forwarded-Proto': 'http',
      },
      multiValueHeaders: Object.fromEntries(
        Object.entries(event.headers).map(([name, value]) => [name, [value]]),
      ),
      queryStringParameters: { a: '3', b: '2' },
      multiValueQueryStringParameters: { a: ['1', '3'], b: ['2'] },
      pathParameters: { id: 'rex' },
      stageVariables: null,
      requestContext: {
        accountId: account,
        apiId: 'Stack-Api',
        authorizer: undefined,
        domainName: host,
        domainPrefix: '127',
        extendedRequestId: expect.stringMatching(extendedId),
        httpMethod: 'POST',
        identity: expect.objectContaining({ sourceIp: '127.0.0.1', userAgent: 'tester', user: null }),
        path: '/open/rex',
        protocol: 'HTTP/1.1',
        requestId: expect.stringMatching(uuid),
        requestTime: expect.any(String),
        requestTimeEpoch: expect.any(Number),
        resourceId: 'Stack-Resource:open/{id}',
        resourcePath: '/open/{id}',
        stage: 'test',
      },
      body: 'bow wow',
      isBase64Encoded: false,
    });
    expect(event.requestContext.requestTimeEpoch).toBeGreaterThanOrEqual(before);
    expect(event.requestContext.requestTimeEpoch).toBeLessThanOrEqual(Date.now());
  });

  test('contains the time in the Common Log Format', async () => {
    await call('/open');
    expect(eventOf('Open').requestContext.requestTime).toMatch(
      /^\d{2}\/[A-Z][a-z]{2}\/\d{4}:\d{2}:\d{2}:\d{2} \+0000$/,
    );
  });

  test('has null for fields that are not in the request', async () => {
    await call('/open');
    expect(eventOf('Open')).toMatchObject({
      body: null,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
    });
  });

  test('has a unique request ID', async () => {
    await call('/open');
    await call('/open');
    expect(new Set(invocations.map(({ event }) => event.requestContext.requestId)).size).toBe(2);
  });

  test('has the request ID that the client chose, and a separate extended request ID', async () => {
    const { headers } = await call('/open', { headers: { 'x-amzn-requestid': 'mine' } });
    const { requestId, extendedRequestId } = eventOf('Open').requestContext;
    expect(requestId).toBe('mine');
    expect(extendedRequestId).toMatch(extendedId);
    expect(headers).toMatchObject({ 'x-amzn-requestid': 'mine', 'x-amz-apigw-id': extendedRequestId });
  });

  test('keeps the case of header names, and all values of repeated headers', async () => {
    await call('/open', { headers: { 'x-LOUD-word': ['woof', 'wow'], __proto__: 'no' } });
    const { headers, multiValueHeaders } = eventOf('Open');
    expect(multiValueHeaders['x-LOUD-word']).toEqual(['woof', 'wow']);
    expect(headers['x-LOUD-word']).toBe('wow');
  });

  test.each([
    ['/open/rex', { id: 'rex' }],
    ['/open/rex/', { id: 'rex' }],
    ['/open/r%C3%A9x', { id: 'réx' }],
    ['/open/a%2Fb', { id: 'a/b' }],
    ['/open/a+b', { id: 'a+b' }],
    ['/open/%2E%2E', { id: '..' }],
    ['/elsewhere/r%20x', { proxy: 'elsewhere/r x' }],
  ])('%s has the decoded parameters %j, and the unchanged path', async (path, parameters) => {
    await call(path);
    const [{ event } = { event: undefined }] = invocations;
    expect(event?.pathParameters).toEqual(parameters);
    expect(event?.path).toBe(path);
  });

  test.each([
    ['?', null],
    ['?a', { a: [''] }],
    ['?a=', { a: [''] }],
    ['?a=b=c', { a: ['b=c'] }],
    ['?a=1%262+3', { a: ['1&2 3'] }],
    ['?a=1?2', { a: ['1?2'] }],
    ['?%C3%A9=%C3%A9', { é: ['é'] }],
    ['?__proto__=1', JSON.parse('{"__proto__": ["1"]}')],
  ])('the query %s has the parameters %j', async (query, parameters) => {
    await call(`/open${query}`);
    expect(eventOf('Open').multiValueQueryStringParameters).toEqual(parameters);
    expect(eventOf('Open').path).toBe('/open');
  });

  test.each([
    ['Connection', 'close'],
    ['Content-Length', '0'],
    ['Content-MD5', '1B2M2Y8AsgTpgAmY7PhCfg=='],
    ['Expect', '100-continue'],
    ['Max-Forwards', '10'],
    ['Proxy-Authenticate', 'Basic'],
    ['Server', 'mine'],
    ['TE', 'trailers'],
    ['Trailer', 'X-Word'],
    ['Transfer-Encoding', 'chunked'],
    ['upgrade', 'h2c'],
    ['WWW-Authenticate', 'Basic'],
    ['Authorization', 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE'],
  ])('does not have the header %s', async (name, value) => {
    expect((await call('/open', { method: 'POST', headers: { [name]: value } })).status).toBe(200);
    const { headers, multiValueHeaders } = eventOf('Open');
    const names = [...Object.keys(headers), ...Object.keys(multiValueHeaders)].map((one) =>
      one.toLowerCase(),
    );
    expect(names).not.toContain(name.toLowerCase());
  });

  test.each([
    'Accept',
    'Authorization',
    'Content-Encoding',
    'Date',
    'Pragma',
    'Range',
    'Referer',
    'User-Agent',
    'Via',
    'X-Word',
  ])('has the header %s unchanged', async (name) => {
    await call('/open', { headers: { [name]: 'mine' } });
    expect(eventOf('Open').headers[name]).toBe('mine');
  });

  test('has U+FFFD in place of bytes that are not UTF-8', async () => {
    await call('/open', { method: 'POST', body: Buffer.from([0x61, 0xff, 0xc3, 0x62]) });
    expect(eventOf('Open')).toMatchObject({ body: 'a\ufffd\ufffdb', isBase64Encoded: false });
  });

  test('has the text body of the request, whatever its length', async () => {
    const body = 'wau 🐕 '.repeat(20_000);
    await call('/open', { method: 'PUT', body });
    expect(eventOf('Open').body).toBe(body);
  });

  test.each(['X-Forwarded-Proto', 'x-forwarded-proto', 'X-FORWARDED-PROTO'])(
    'has the protocol http, even if the client sends %s',
    async (name) => {
      await call('/open', { headers: { [name]: ['https', 'gopher'] } });
      const { headers, multiValueHeaders } = eventOf('Open');
      const values = (fields: object) =>
        Object.entries(fields).flatMap(([key, value]) =>
          key.toLowerCase() === 'x-forwarded-proto' ? [value] : [],
        );
      expect(values(headers)).toEqual(['http']);
      expect(values(multiValueHeaders)).toEqual([['http']]);
    },
  );
});

describe('A request whose target is a URL', () => {
  test.each<[string, (url: string) => string, string, object | null]>([
    ['a path', (own) => `${own}/open/r%C3%A9x`, '/open/r%C3%A9x', null],
    ['a query', (own) => `${own}/open/rex?a=http://b/c?d`, '/open/rex', { a: 'http://b/c?d' }],
    ['a scheme in uppercase letters', (own) => `${own.replace('http', 'HTTP')}/open/rex`, '/open/rex', null],
  ])('reaches the function with the path and the query of the URL: %s', async (_, target, path, query) => {
    expect((await call(target(url))).status).toBe(200);
    expect(eventOf('OpenOne')).toMatchObject({ path, queryStringParameters: query });
    expect(eventOf('OpenOne').requestContext.path).toBe(path);
  });

  test.each(['', '?a=1'])('has the path / if the URL ends in "%s"', async (end) => {
    gateway.serve(apiModelOf({ methods: { 'GET /': '!Root' } }), async (_, event) => ({
      statusCode: 200,
      body: (event as APIGatewayProxyEvent).path,
    }));
    expect(await call(`${url}${end}`)).toMatchObject({ status: 200, body: '/' });
  });

  test.each(['evil.example', ''])('has the host of the URL instead of the Host header "%s"', async (Host) => {
    const { port } = new URL(url);
    const target = `http://LOCALHOST:${port}/open`;
    expect((await call(target, { headers: { Host } })).status).toBe(200);
    const { headers, multiValueHeaders, requestContext } = eventOf('Open');
    const host = `LOCALHOST:${port}`;
    expect([headers.Host, multiValueHeaders.Host, requestContext.domainName]).toEqual([host, [host], host]);
  });

  test('is served without a Host header if it uses HTTP/1.0', async () => {
    expect((await exchangeReply(`GET ${url}/open HTTP/1.0\r\n\r\n`)).status).toBe(200);
    expect(eventOf('Open').requestContext.domainName).toBe(new URL(url).host);
  });
});

describe('A request with X-HTTP-Method-Override', () => {
  const override = (method: string, name = 'X-HTTP-Method-Override') => ({ headers: { [name]: method } });

  test.each(['X-HTTP-Method-Override', 'x-http-method-override'])(
    'reaches the authorizer and the function with the method that %s names',
    async (name) => {
      functions.Guard = () => ({
        principalId: 'rex',
        policyDocument: {
          Version: '2012-10-17',
          Statement: [
            {
              Action: 'execute-api:Invoke',
              Effect: 'Allow',
              Resource: arn('execute-api', 'Stack-Api/test/PUT/dogs/rex'),
            },
          ],
        },
      });
      expect((await callAs('me', '/dogs/rex', override('PUT', name))).status).toBe(200);
      expect(invocations.map((invocation) => invocation.name)).toEqual(['Guard', 'PutDog']);
      for (const { event } of invocations)
        expect([event.httpMethod, event.requestContext.httpMethod]).toEqual(['PUT', 'PUT']);
    },
  );

  test('reaches the authorizer and the function without the header', async () => {
    await callAs('me', '/dogs/rex', override('PUT'));
    await call('/open', override('DELETE'));
    for (const { event } of invocations)
      expect(JSON.stringify(event).toLowerCase()).not.toContain('method-override');
    expect(eventOf('Open').httpMethod).toBe('DELETE');
  });

  test('falls through to the greedy resource if the path lacks the method', async () => {
    await call('/dogs', override('DELETE'));
    expect(eventOf('Fallback').httpMethod).toBe('DELETE');
  });

  test.each(['PURGE', 'delete', 'DELETE, PUT'])(
    'gets 400 if it names %s, which is not a method',
    async (method) => {
      expectProblem(await call('/open', override(method)), 400);
      expect(invocations).toEqual([]);
    },
  );

  test('keeps its own method if the header is empty', async () => {
    await call('/open', override(''));
    expect(eventOf('Open').httpMethod).toBe('GET');
  });
});

describe('The response of a function', () => {
  test('is returned to the client', async () => {
    functions.Open = () => ({
      statusCode: 201,
      headers: { Location: '/open/1', 'Content-Type': 'text/plain; charset=utf-8', 'X-Number': 5 },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
      body: 'wau 🐕',
    });
    const reply = await call('/open');
    expect(reply).toMatchObject({
      status: 201,
      headers: {
        location: '/open/1',
        'content-type': 'text/plain; charset=utf-8',
        'content-length': '8',
        'x-number': '5',
        'set-cookie': ['a=1', 'b=2'],
      },
      body: 'wau 🐕',
    });
  });

  test('has a header only once if it is in both header objects', async () => {
    functions.Open = () => ({ statusCode: 200, headers: { A: '1' }, multiValueHeaders: { A: ['1', '2'] } });
    expect((await call('/open')).headers.a).toBe('1, 2');
  });

  test('can be encoded in Base64', async () => {
    functions.Open = () => ({ statusCode: 200, body: 'd29vZg==', isBase64Encoded: true });
    expect((await call('/open')).body).toBe('woof');
  });

  test('has the type application/json if the function sets no Content-Type', async () => {
    functions.Open = () => ({ statusCode: 200, body: '{}' });
    expect((await call('/open')).headers['content-type']).toBe('application/json');
  });

  test.each([200, 201, 205, 303])(
    'has the type application/json even if it is an empty response with status %d',
    async (statusCode) => {
      functions.Open = () => ({ statusCode, body: '' });
      const { headers, body } = await call('/open');
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '0' });
      expect(body).toBe('');
    },
  );

  test.each(['Expect', 'Host', 'Proxy-Authenticate', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Via'])(
    'does not have the header %s',
    async (name) => {
      functions.Open = () => ({ statusCode: 200, headers: { [name]: 'mine' }, body: 'x' });
      const { rawHeaders, body } = await call('/open');
      expect(rawHeaders.filter((one) => one === 'mine')).toEqual([]);
      expect(body).toBe('x');
    },
  );

  test.each([
    'Authorization',
    'Connection',
    'Content-Length',
    'Content-MD5',
    'Date',
    'Max-Forwards',
    'Server',
    'User-Agent',
    'WWW-Authenticate',
  ])('has %s only as a remapped header', async (name) => {
    functions.Open = () => ({ statusCode: 401, headers: { [name]: 'mine' }, body: 'x' });
    const { headers, body } = await call('/open');
    expect(headers[`x-amzn-remapped-${name.toLowerCase()}`]).toBe('mine');
    expect(headers[name.toLowerCase()]).not.toBe('mine');
    expect(body).toBe('x');
  });

  test('to HEAD has all headers and no body', async () => {
    functions.Open = () => ({ statusCode: 200, headers: { ETag: '"1"' }, body: '{"a":1}' });
    const response = await exchangeText(
      `HEAD /open HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: close\r\n\r\n`,
    );
    const [head = '', body] = response.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(head).toMatch(/\r\nETag: "1"\r\n/);
    expect(head).toMatch(/\r\nContent-Length: 0(\r\n|$)/);
    expect(body).toBe('');
  });

  test('has the IDs that API Gateway adds, and no error type', async () => {
    const { headers } = await call('/open');
    const { requestContext, headers: fields } = eventOf('Open');
    expect(headers).toMatchObject({
      'x-amzn-requestid': requestContext.requestId,
      'x-amz-apigw-id': requestContext.extendedRequestId,
      'x-amzn-trace-id': fields['X-Amzn-Trace-Id'],
    });
    expect(headers).not.toHaveProperty('x-amzn-errortype');
  });

  test.each([204, 304])('has no body if the status is %d', async (statusCode) => {
    functions.Open = () => ({ statusCode, headers: { ETag: '"1"' }, body: 'never' });
    const response = await exchangeText(
      `GET /open HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: close\r\n\r\n`,
    );
    const [head = '', body] = response.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${statusCode} `));
    expect(head).not.toMatch(/content-length|transfer-encoding/i);
    expect(body).toBe('');
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['text', 'woof'],
    ['no status', { body: 'woof' }],
    ['a status that is not a number', { statusCode: 'fine' }],
    ['a status that is not an integer', { statusCode: 200.5 }],
    ['a status that is too small', { statusCode: 199 }],
    ['a status that is too large', { statusCode: 600 }],
  ])('becomes 502 if it is malformed: %s', async (_, response) => {
    functions.Open = () => response;
    expectProblem(await call('/open'), 502);
  });

  test('becomes 502 if its body is not text', async () => {
    functions.Open = () => ({ statusCode: 200, body: { a: 1 } });
    expectProblem(await call('/open'), 502);
  });

  test.each<[string, Record<string, string>]>([
    ['a value of two lines', { Location: '/a\nb' }],
    ['a value that is not Latin-1', { Location: '/🐕' }],
    ['a name with a space', { 'My Header': 'a' }],
  ])(
    'becomes 502 if a header cannot be sent: %s',
    async (_, headers) => {
      functions.Open = () => ({ statusCode: 200, headers });
      expectProblem(await call('/open'), 502);
    },
    500,
  );

  test('becomes 502, without the reason, if the function fails', async () => {
    functions.Open = () => {
      throw new FunctionError('Error', 'the secret reason');
    };
    const reply = await call('/open');
    expectProblem(reply, 502);
    expect(reply.body).not.toContain('secret');
    expect(logged).toHaveBeenCalledWith('the secret reason');
  });

  test('is reported with its status, duration, function and problem', async () => {
    const reports: Activity[] = [];
    const stop = onActivity((activity) => reports.push(activity));
    functions.Open = () => ({
      statusCode: 404,
      headers: { 'Content-Type': 'application/problem+json' },
      body: JSON.stringify({ detail: 'There is no dog "rex".' }),
    });
    const { headers } = await call('/open?a=1');
    stop();
    expect(reports).toEqual([
      {
        type: 'request',
        method: 'GET',
        path: '/open?a=1',
        status: 404,
        durationMs: expect.any(Number),
        requestId: headers['x-request-id'] ?? headers['x-amz-apigw-id'],
        functionName: functionArn('Open'),
        detail: 'There is no dog "rex".',
      },
    ]);
  });

  test('is INTEGRATION_FAILURE if Lambda throttles the function', async () => {
    functions.Open = () => {
      throw new TooManyRequestsException();
    };
    const reply = await call('/open');
    expectProblem(reply, 503, 'Service Unavailable');
    expect(reply.headers['retry-after']).toBe('1');
    expect(JSON.parse(reply.body).detail).toMatch(/The request may have taken effect\./);
    expect(logged).toHaveBeenCalledWith('Lambda throttled the function: Rate Exceeded.');
  });

  test('is DEFAULT_5XX if Lambda throttles the function and the template has no other response', async () => {
    const others = gatewayResponses.filter(({ ResponseType }) => ResponseType !== 'INTEGRATION_FAILURE');
    gateway.serve(apiModelOf({ methods, gatewayResponses: others }), async () => {
      throw new TooManyRequestsException();
    });
    const reply = await call('/open');
    expectProblem(reply, 500);
    expect(reply.headers).not.toHaveProperty('retry-after');
  });

  test('becomes 500, without the reason, if the gateway fails', async () => {
    functions.Open = () => {
      throw new Error('the secret reason');
    };
    const reply = await call('/open');
    expectProblem(reply, 500);
    expect(reply.body).not.toContain('secret');
  });

  test('becomes 504 if the function takes longer than the timeout of API Gateway', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const invoked = new Promise<void>((resolve) => {
      functions.Open = () => {
        resolve();
        return new Promise(() => {});
      };
    });
    const reply = call('/open');
    await invoked;
    mock.timers.tick(29_000);
    expectProblem(await reply, 504, 'Gateway Timeout');
  });
});

test('The Date of a response is the time of the clock', async () => {
  const other = new Gateway({ now: () => Date.UTC(2027, 0, 1) });
  const { headers } = await send(await other.listen('127.0.0.1', 0), '/open').finally(() => other.close(0));
  expect(headers.date).toBe('Fri, 01 Jan 2027 00:00:00 GMT');
});

describe('A response that API Gateway generates itself', () => {
  test('has status 503 before serve is called', async () => {
    const early = new Gateway();
    const { status } = await send(await early.listen('127.0.0.1', 0), '/open').finally(() => early.close(0));
    expect(status).toBe(503);
    expect(invocations).toEqual([]);
  });

  test.each(['/%', '/open/%zz', '/open/%C3', '/%E0%A4%A'])(
    'has status 400 for %s, which is malformed',
    async (path) => {
      expectProblem(await call(path), 400, 'Bad Request');
      expect(invocations).toEqual([]);
    },
  );

  test.each(['TRACE', 'PROPFIND', 'PURGE'])('has status 400 for the unknown method %s', async (method) => {
    expectProblem(await call('/open', { method }), 400, 'Bad Request');
    expect(invocations).toEqual([]);
  });

  test.each([
    'BARK / HTTP/1.1\r\n\r\n',
    'get / HTTP/1.1\r\n\r\n',
    'woof\r\n\r\n',
    'GET / HTTP/1.1\r\na b\r\n\r\n',
  ])('has status 400 for %j, which is not HTTP', async (bytes) => {
    const reply = await exchangeReply(bytes);
    expectProblem(reply, 400, 'Bad Request');
    expect(reply.headers).toMatchObject({
      'content-length': String(Buffer.byteLength(reply.body)),
      connection: 'close',
    });
    expect(invocations).toEqual([]);
  });

  test.each([
    [
      'a header',
      (host: string) => `GET /open HTTP/1.1\r\nHost: ${host}\r\nX-Field: ${'a'.repeat(16 * 1024)}\r\n\r\n`,
    ],
    [
      'a header name',
      (host: string) => `GET /open HTTP/1.1\r\nHost: ${host}\r\n${'a'.repeat(16 * 1024)}: x\r\n\r\n`,
    ],
    ['a target', (host: string) => `GET /${'a'.repeat(16 * 1024)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
  ])('has status 431 for a request with %s over 16 KB', async (_, bytes) => {
    const reply = await exchangeReply(bytes(new URL(url).host));
    expectProblem(reply, 431);
    expect(JSON.parse(reply.body).detail).not.toContain('method');
    expect(reply.headers.connection).toBe('close');
    expect(invocations).toEqual([]);
  });

  test('has status 417 for an unknown expectation', async () => {
    const reply = await call('/open', { method: 'POST', headers: { Expect: 'woof' }, body: '{}' });
    expectProblem(reply, 417);
    expect(reply.headers['x-amzn-errortype']).toBe('BadRequestException');
    expect(invocations).toEqual([]);
  });

  test('for an unknown expectation follows the responses to the previous requests', async () => {
    const { host } = new URL(url);
    functions.Open = async () => {
      await sleep(20);
      return { statusCode: 201, body: '{}' };
    };
    const head = `POST /open HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n`;
    const responses = await exchangeText(`${head}\r\n{}${head}Expect: woof\r\n\r\n{}`);
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 417']);
  });

  test('has status 400 for an HTTP/1.1 request without a Host header', async () => {
    const reply = await exchangeReply('GET /open HTTP/1.1\r\nConnection: close\r\n\r\n');
    expectProblem(reply, 400, 'Bad Request');
    expect(invocations).toEqual([]);
  });

  test.each([
    ['431', (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Field: ${'a'.repeat(16 * 1024)}\r\n\r\n`],
    ['417', (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\nExpect: woof\r\nConnection: close\r\n\r\n`],
    ['400', () => 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['421', () => 'GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'],
  ])('has the CORS headers of the template, even if its status is %s', async (status, bytes) => {
    const allowed = { 'gatewayresponse.header.Access-Control-Allow-Origin': "'https://dogs.example'" };
    const responses = gatewayResponses.map((response) => ({
      ...response,
      ResponseParameters: { ...response.ResponseParameters, ...allowed },
    }));
    gateway.serve(apiModelOf({ methods, gatewayResponses: responses }), async () => ({ statusCode: 200 }));
    const reply = await exchangeReply(bytes(new URL(url).host));
    expectProblem(reply, Number(status));
    expect(reply.headers['access-control-allow-origin']).toBe('https://dogs.example');
  });

  test('has status 400 for CONNECT', async () => {
    expect(await exchangeText('CONNECT dogs.example:443 HTTP/1.1\r\nHost: dogs.example\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\n/,
    );
    expect(invocations).toEqual([]);
  });

  test.each(['*', 'open', 'http:/open', 'http:open'])(
    'has status 400 for the target %s, which is neither a path nor a URL',
    async (path) => {
      expectProblem(await call(path), 400, 'Bad Request');
      expect(invocations).toEqual([]);
    },
  );

  test.each<[string, (host: string) => string]>([
    ['another host', () => 'http://evil.example/open'],
    ['another port', () => 'http://127.0.0.1:1/open'],
    ['a user', (host) => `http://rex@${host}/open`],
    ['no host', () => 'http:///open'],
    ['the scheme https', (host) => `https://${host}/open`],
    ['another scheme', (host) => `ftp://${host}/open`],
  ])('has status 421 for a target that is a URL with %s', async (_, target) => {
    expectProblem(await call(target(new URL(url).host)), 421);
    expect(invocations).toEqual([]);
  });

  test('has status 400 for a target that is a URL if the HTTP/1.1 request has no Host header', async () => {
    const bytes = `GET ${url}/open HTTP/1.1\r\nConnection: close\r\n\r\n`;
    expectProblem(await exchangeReply(bytes), 400, 'Bad Request');
    expect(invocations).toEqual([]);
  });

  test('has status 400 for a request with two Host headers', async () => {
    const { host } = new URL(url);
    for (const hosts of [
      [host, 'evil.example'],
      ['evil.example', host],
    ]) {
      const fields = hosts.map((one) => `Host: ${one}\r\n`).join('');
      expect(await exchangeText(`GET /open HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 400 /,
      );
    }
    expect(invocations).toEqual([]);
  });

  test('is not sent if the client disconnects while it sends the request', async () => {
    const { host } = new URL(url);
    await exchangeText(`POST /open HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9\r\n\r\nwoof`, {
      halfClose: true,
    });
    expect((await call('/open')).status).toBe(200);
    expect(logged).not.toHaveBeenCalled();
  });

  test('for a malformed request follows the responses to the previous requests', async () => {
    const { host } = new URL(url);
    functions.Open = async () => {
      await sleep(20);
      return { statusCode: 201, body: '{}' };
    };
    const requests = `POST /open HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n\r\n{}`.repeat(2);
    const responses = await exchangeText(`${requests}garbage\r\n\r\n`);
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 201', 'HTTP/1.1 400']);
  });

  test('for a malformed body follows the response to the previous request', async () => {
    const { host } = new URL(url);
    functions.Open = async () => {
      await sleep(20);
      return { statusCode: 201, body: '{}' };
    };
    const head = `POST /open HTTP/1.1\r\nHost: ${host}\r\n`;
    const responses = await exchangeText(
      `${head}Content-Length: 2\r\n\r\n{}${head}Transfer-Encoding: chunked\r\n\r\nno number\r\n`,
    );
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 400']);
  });

  test('has status 413 for a body over 10 MB, even if the template customizes that response', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024 + 1, 'a');
    const customized = ['REQUEST_TOO_LARGE', 'DEFAULT_4XX'].map((ResponseType) => ({
      ResponseType,
      StatusCode: '400',
      ResponseTemplates: { 'application/json': 'mine' },
    }));
    gateway.serve(apiModelOf({ methods, gatewayResponses: customized }), async () => ({ statusCode: 200 }));
    const { status, headers, body: said } = await call('/open', { method: 'POST', body });
    expect(status).toBe(413);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-amzn-errortype': 'RequestTooLargeException',
    });
    expect(JSON.parse(said)).toEqual({ message: 'Request Too Long' });
  });

  test('has status 413 for a body over 10 MB without a Content-Length', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024 + 1, 'a');
    const headers = { 'Transfer-Encoding': 'chunked' };
    expect((await call('/open', { method: 'POST', headers, body })).status).toBe(413);
    expect(invocations).toEqual([]);
  });

  test.each([
    ['10 MB', Buffer.alloc(10 * 1024 * 1024, 'a')],
    ['6 MB', Buffer.alloc(6 * 1024 * 1024, 'a')],
    ['4 MB that JSON doubles', Buffer.alloc(4 * 1024 * 1024, '"')],
  ])('has status 413 for a body of %s, because Lambda refuses the event', async (_, body) => {
    const { status, headers } = await call('/open', { method: 'POST', body });
    expect([status, headers['x-amzn-errortype']]).toEqual([413, 'RequestTooLargeException']);
    expect(invocations).toEqual([]);
  });

  test('is not sent if the event is slightly smaller than 6 MB', async () => {
    const body = Buffer.alloc(6 * 1024 * 1024 - 4_000, 'a');
    expect((await call('/open', { method: 'POST', body })).status).toBe(200);
  });

  test.each([
    ['another name', () => 'evil.example'],
    ['another name and the port of the gateway', (port: string) => `evil.example:${port}`],
    ["a name with the gateway's name as its prefix", (port: string) => `localhost.evil.example:${port}`],
    ['another port', () => '127.0.0.1:1'],
    ['another address of this machine', (port: string) => `127.0.0.2:${port}`],
  ])('has status 421 for a request whose Host is %s', async (_, host) => {
    const reply = await call('/open', { headers: { Host: host(new URL(url).port) } });
    expectProblem(reply, 421);
    expect(invocations).toEqual([]);
  });

  test('has status 421 for an HTTP/1.0 request without a Host header', async () => {
    expectProblem(await exchangeReply('GET /open HTTP/1.0\r\n\r\n'), 421);
    expect(invocations).toEqual([]);
  });

  test.each(['127.0.0.1', 'localhost', 'LocalHost', '[::1]'])(
    'is not sent if the Host is %s',
    async (name) => {
      const { port } = new URL(url);
      const reply = await call('/open', { headers: { Host: `${name}:${port}` } });
      expect(reply.status).toBe(200);
      expect(eventOf('Open').requestContext.domainName).toBe(`${name}:${port}`);
    },
  );

  test('is not sent if the Host is the address of the connection', async () => {
    const everywhere = new Gateway();
    const { port } = new URL(await everywhere.listen('0.0.0.0', 0));
    everywhere.serve(apiModelOf({ methods, gatewayResponses }), async () => ({ statusCode: 200 }));
    const addresses = Object.values(networkInterfaces()).flatMap((all = []) =>
      all.flatMap(({ family, address }) => (family === 'IPv4' ? [address] : [])),
    );
    for (const address of addresses) {
      const statusFor = async (Host: string) =>
        (await send(`http://${address}:${port}`, '/open', { headers: { Host } })).status;
      expect([address, await statusFor(`${address}:${port}`)]).toEqual([address, 200]);
      expect(await statusFor(`evil.example:${port}`)).toBe(421);
      expect(await statusFor(`203.0.113.7:${port}`)).toBe(421);
    }
    await everywhere.close(0);
  });

  test('has an extended request ID that the client cannot choose', async () => {
    const chosen = 'c159c6be-ea56-4ee2-b8f1-ee0c8ba40e4d';
    const reply = await call('/dogs', { headers: { 'X-Amzn-RequestId': chosen } });
    expectProblem(reply, 401);
    expect(reply.headers['x-amzn-requestid']).toBe(chosen);
    expect(reply.body).not.toContain(chosen);
  });

  test('has no remapped headers', async () => {
    const { headers } = await call('/dogs');
    expect(headers['www-authenticate']).toBe('Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"');
    expect(headers).not.toHaveProperty('x-amzn-remapped-www-authenticate');
  });

  test('to HEAD has no body', async () => {
    const { status, headers, body } = await call('/%', { method: 'HEAD' });
    expect([status, headers['content-length'], body]).toEqual([400, '0', '']);
  });

  test.each<[string, string, RequestOptions]>([
    ['UnauthorizedException', '/dogs', {}],
    ['BadRequestException', '/%', {}],
    ['MissingAuthenticationTokenException', '/open', { method: 'PURGE' }],
  ])('has the error type %s and the IDs, but no trace ID', async (errorType, path, options) => {
    const { headers } = await call(path, options);
    expect(headers['x-amzn-errortype']).toBe(errorType);
    expect(headers['x-amzn-requestid']).toMatch(uuid);
    expect(headers['x-amz-apigw-id']).toMatch(extendedId);
    expect(headers).not.toHaveProperty('x-amzn-trace-id');
  });

  test.each<[string, () => unknown]>([
    ['InternalServerErrorException', () => ({ statusCode: 'fine' })],
    [
      'InternalServerErrorException',
      () => {
        throw new FunctionError('Error', 'the secret reason');
      },
    ],
  ])('has the error type %s if a function fails', async (errorType, failing) => {
    functions.Open = failing;
    expect((await call('/open')).headers['x-amzn-errortype']).toBe(errorType);
  });
});

describe('The authorizer', () => {
  const stageArn = arn('execute-api', 'Stack-Api/test');
  const allow = (...resources: string[]) => policy({ Effect: 'Allow', resources });
  const allowAll = () => allow(`${stageArn}/*`);

  function policy(...statements: { Effect: string; resources: string[] }[]) {
    return {
      principalId: 'rex',
      policyDocument: {
        Version: '2012-10-17',
        Statement: statements.map(({ Effect, resources }) => ({
          Action: 'execute-api:Invoke',
          Effect,
          Resource: resources,
        })),
      },
    };
  }

  function authorizerInvocations(): number {
    return invocations.filter(({ name }) => name === 'Guard').length;
  }

  beforeEach(() => {
    functions.Guard = allowAll;
  });

  test('receives the request without its body', async () => {
    await callAs('me', '/dogs/rex?a=1', { method: 'PUT', body: 'secret', headers: { 'X-Word': 'woof' } });
    const input = eventOf('Guard') as unknown as APIGatewayRequestAuthorizerEvent;
    expect(input).toMatchObject({
      type: 'REQUEST',
      methodArn: `${stageArn}/PUT/dogs/rex`,
      resource: '/dogs/{id}',
      path: '/dogs/rex',
      httpMethod: 'PUT',
      headers: { Authorization: 'me', 'X-Word': 'woof' },
      multiValueHeaders: { Authorization: ['me'] },
      queryStringParameters: { a: '1' },
      pathParameters: { id: 'rex' },
      stageVariables: null,
      requestContext: { stage: 'test', apiId: 'Stack-Api' },
    });
    expect(input).not.toHaveProperty('body');
    expect(input).not.toHaveProperty('isBase64Encoded');
  });

  test('passes its context to the function if it allows the request', async () => {
    functions.Guard = () => ({ ...allowAll(), context: { plan: 'gold' } });
    expect((await callAs('me', '/dogs')).status).toBe(200);
    expect(eventOf('ListDogs').requestContext.authorizer).toEqual({
      principalId: 'rex',
      plan: 'gold',
      integrationLatency: 0,
    });
  });

  test('is not invoked for a public method', async () => {
    await callAs('me', '/open');
    expect(invocations.map(({ name }) => name)).toEqual(['Open']);
    expect(eventOf('Open').requestContext.authorizer).toBeUndefined();
  });

  test.each<[string, Record<string, string>]>([
    ['no identity', {}],
    ['an empty identity', { Authorization: '' }],
  ])('is not invoked for a request with %s, which gets 401', async (_, headers) => {
    const reply = await call('/dogs', { headers });
    expectProblem(reply, 401, 'Unauthorized');
    expect(reply.headers['www-authenticate']).toBe(
      'Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"',
    );
    expect(invocations).toEqual([]);
  });

  test.each(['authorization', 'AUTHORIZATION', 'Authorization'])(
    'reads the identity from the header %s, whatever its case',
    async (name) => {
      expect((await call('/dogs', { headers: { [name]: 'me' } })).status).toBe(200);
    },
  );

  test('causes 401 if it throws Unauthorized', async () => {
    functions.Guard = () => {
      throw new FunctionError('Error', 'Unauthorized');
    };
    const reply = await callAs('me', '/dogs');
    expectProblem(reply, 401, 'Unauthorized');
    expect(reply.headers['www-authenticate']).toBe(
      'Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"',
    );
    expect(invocations.map(({ name }) => name)).toEqual(['Guard']);
  });

  const errors: [string, Error][] = [
    ...['Unauthorized.', 'unauthorized', 'Unauthorized ', 'the database is gone'].map(
      (message): [string, Error] => [`throws "${message}"`, new FunctionError('Error', message)],
    ),
    ['times out', new FunctionError('Sandbox.Timedout', 'Guard: Task timed out after 10 seconds')],
    ['crashes', new FunctionError('Runtime.ExitError', 'Guard: Runtime exited')],
    ['is throttled', new TooManyRequestsException()],
  ];
  const statement = { Action: 'execute-api:Invoke', Effect: 'Allow', Resource: `${stageArn}/*` };
  const policyOf = (...Statement: unknown[]) => ({
    principalId: 'rex',
    policyDocument: { Version: '2012-10-17', Statement },
  });
  const outputs: [string, unknown][] = [
    ['returns nothing', undefined],
    ['returns null', null],
    ['returns text', 'Allow'],
    ['returns no policy', { principalId: 'rex' }],
    ['returns a policy without statements', { principalId: 'rex', policyDocument: {} }],
    ['returns a statement that is not an object', policyOf('Allow')],
    ['returns a statement without a resource', policyOf({ ...statement, Resource: undefined })],
    ['returns a statement without an action', policyOf({ ...statement, Action: undefined })],
    ['returns a statement of another effect', policyOf({ ...statement, Effect: 'Maybe' })],
    ['returns a context with a list', { ...policyOf(statement), context: { roles: ['user'] } }],
    ['returns a context with an object', { ...policyOf(statement), context: { user: {} } }],
    ['returns a context that is not an object', { ...policyOf(statement), context: 'rex' }],
  ];
  const failures: [string, Handler][] = [
    ...errors.map(([what, error]): [string, Handler] => [
      what,
      () => {
        throw error;
      },
    ]),
    ...outputs.map(([what, output]): [string, Handler] => [what, () => output]),
  ];

  test.each(failures)('that %s is AUTHORIZER_CONFIGURATION_ERROR', async (_, handler) => {
    functions.Guard = handler;
    const reply = await callAs('me', '/dogs');
    expectProblem(reply, 503, 'Service Unavailable');
    expect(reply.headers).toMatchObject({
      'retry-after': '1',
      'x-amzn-errortype': 'AuthorizerConfigurationException',
    });
    expect(JSON.parse(reply.body).detail).toBe(
      'The service could not check the credentials. The request had no effect. Wait for the number of seconds in Retry-After, then send it again.',
    );
    expect(invocations.map(({ name }) => name)).toEqual(['Guard']);
  });

  test.each(failures)('that %s is DEFAULT_5XX if the template has no other response', async (_, handler) => {
    const others = gatewayResponses.filter(
      ({ ResponseType }) => ResponseType !== 'AUTHORIZER_CONFIGURATION_ERROR',
    );
    gateway.serve(apiModelOf({ methods, gatewayResponses: others }), async () =>
      handler({} as APIGatewayProxyEvent),
    );
    const reply = await callAs('me', '/dogs');
    expectProblem(reply, 500);
    expect(reply.headers).not.toHaveProperty('retry-after');
    expect(reply.headers['x-amzn-errortype']).toBe('AuthorizerConfigurationException');
  });

  test('is invoked again after it has returned an invalid policy', async () => {
    functions.Guard = () => policyOf('Allow');
    expect((await callAs('me', '/dogs')).status).toBe(503);
    functions.Guard = allowAll;
    expect((await callAs('me', '/dogs')).status).toBe(200);
  });

  test('passes the values of its context as strings', async () => {
    functions.Guard = () => ({ ...allowAll(), context: { plan: 'gold', dogs: 3, paid: true } });
    await callAs('me', '/dogs');
    expect(eventOf('ListDogs').requestContext.authorizer).toMatchObject({
      plan: 'gold',
      dogs: '3',
      paid: 'true',
    });
  });

  test.each([
    ['the stage', '/*'],
    ['the method', '/GET/dogs/rex'],
    ['any method', '/*/dogs/rex'],
    ['any dog', '/GET/dogs/*'],
    ['a dog of three letters', '/GET/dogs/???'],
  ])('allows a request if its policy allows %s', async (_, resource) => {
    functions.Guard = () => allow(stageArn + resource);
    expect((await callAs('me', '/dogs/rex')).status).toBe(200);
  });

  test.each([
    ['another method', [`${stageArn}/PUT/dogs/rex`]],
    ['another path', [`${stageArn}/GET/dogs`]],
    ['a longer path', [`${stageArn}/GET/dogs/rex/*`]],
    ['a path with the same beginning', [`${stageArn}/GET/dogs.rex`]],
    ['another stage', [arn('execute-api', 'Stack-Api/prod/*')]],
    ['another API', [arn('execute-api', 'Other/test/*')]],
    ['nothing', []],
  ])('refuses a request if its policy allows only %s', async (_, resources) => {
    functions.Guard = () => allow(...resources);
    expectProblem(await callAs('me', '/dogs/rex'), 403, 'Forbidden');
    expect(invocations.map(({ name }) => name)).toEqual(['Guard']);
  });

  test('refuses a request that its policy both allows and denies', async () => {
    functions.Guard = () =>
      policy(
        { Effect: 'Allow', resources: [`${stageArn}/*`] },
        { Effect: 'Deny', resources: [`${stageArn}/GET/dogs`] },
      );
    expectProblem(await callAs('me', '/dogs'), 403, 'Forbidden');
    expect((await callAs('me', '/dogs/rex')).status).toBe(200);
  });

  test('identifies the user in the report of the request', async () => {
    const reports: Activity[] = [];
    const stop = onActivity((activity) => reports.push(activity));
    functions.Guard = allowAll;
    functions.PutDog = () => ({ statusCode: 201, headers: { location: '/dogs/rex' } });
    await callAs('me', '/dogs/rex', { method: 'PUT' });
    stop();
    expect(reports).toEqual([expect.objectContaining({ user: 'rex', location: '/dogs/rex' })]);
  });

  test('is invoked once per user while its result is cached', async () => {
    const clock = jest.spyOn(Date, 'now');
    try {
      clock.mockReturnValue(1_000_000);
      await callAs('me', '/dogs');
      await callAs('me', '/dogs/rex', { method: 'PUT' });
      clock.mockReturnValue(1_059_999);
      await callAs('me', '/dogs/rex');
      expect(authorizerInvocations()).toBe(1);
      clock.mockReturnValue(1_060_000);
      await callAs('me', '/dogs');
      expect(authorizerInvocations()).toBe(2);
    } finally {
      clock.mockRestore();
    }
  });

  test('is invoked again after another API is served', async () => {
    await callAs('me', '/dogs');
    serve();
    await callAs('me', '/dogs');
    expect(authorizerInvocations()).toBe(2);
  });

  test('is invoked separately for each user', async () => {
    await callAs('me', '/dogs');
    await callAs('you', '/dogs');
    await callAs('ME', '/dogs');
    expect(authorizerInvocations()).toBe(3);
  });

  test('is invoked again for a user whose cached result was replaced by 1,000 other results', async () => {
    await callAs('me', '/dogs');
    const others = Array.from({ length: 1_000 }, (_, i) => `user ${i}`);
    for (const user of others) await callAs(user, '/dogs');
    await callAs('user 999', '/dogs');
    expect(authorizerInvocations()).toBe(1_001);
    await callAs('me', '/dogs');
    expect(authorizerInvocations()).toBe(1_002);
  });

  test('is invoked for each request if nothing is cached', async () => {
    serve(0);
    await callAs('me', '/dogs');
    await callAs('me', '/dogs');
    expect(authorizerInvocations()).toBe(2);
  });

  test.each(['Unauthorized', 'the database is gone'])(
    'is invoked again after it has thrown "%s"',
    async (message) => {
      functions.Guard = () => {
        throw new FunctionError('Error', message);
      };
      await callAs('me', '/dogs');
      functions.Guard = allowAll;
      expect((await callAs('me', '/dogs')).status).toBe(200);
    },
  );

  test('refuses another route because of its cached policy', async () => {
    functions.Guard = (event) => allow((event as unknown as { methodArn: string }).methodArn);
    expect((await callAs('me', '/dogs')).status).toBe(200);
    expectProblem(await callAs('me', '/dogs/rex'), 403, 'Forbidden');
    expect(authorizerInvocations()).toBe(1);
  });
});

describe('The gateway', () => {
  test('invokes the function of the method, and no other', async () => {
    functions.Guard = () => {
      throw new FunctionError('Error', 'Unauthorized');
    };
    const invoked: string[] = [];
    gateway.serve(apiModelOf({ methods }), async (invokedArn) => {
      invoked.push(invokedArn);
      return { statusCode: 200 };
    });
    await call('/open');
    await call('/elsewhere');
    expect(invoked).toEqual([functionArn('Open'), functionArn('Fallback')]);
  });

  test('serves concurrent requests', async () => {
    const waiting: (() => void)[] = [];
    functions.OpenOne = ({ path }) =>
      new Promise((resolve) => {
        waiting.push(() => resolve({ statusCode: 200, body: path }));
        if (waiting.length === 3) for (const respond of waiting) respond();
      });
    const replies = await Promise.all(['1', '2', '3'].map((id) => call(`/open/${id}`)));
    expect(replies.map(({ body }) => body)).toEqual(['/open/1', '/open/2', '/open/3']);
  });

  test('survives a client that disconnects while it sends the request', async () => {
    const { hostname, port } = new URL(url);
    const leaving = request({
      hostname,
      port,
      path: '/open',
      method: 'POST',
      headers: { 'Content-Length': '9' },
    });
    const gone = new Promise((resolve) => leaving.on('error', resolve));
    leaving.write('woof', () => leaving.destroy());
    await gone;
    expect((await call('/open')).status).toBe(200);
    expect(invocations).toHaveLength(1);
  });

  test('survives a client that disconnects while it waits for the response', async () => {
    const { hostname, port } = new URL(url);
    let respond = () => {};
    const invoked = new Promise<void>((resolve) => {
      functions.Open = () => {
        resolve();
        return new Promise((settle) => {
          respond = () => settle({ statusCode: 200, body: 'late' });
        });
      };
    });
    const leaving = request({ hostname, port, path: '/open' });
    const gone = new Promise((resolve) => leaving.on('error', resolve));
    leaving.end();
    await invoked;
    leaving.destroy();
    await gone;
    respond();
    expect((await call('/elsewhere')).status).toBe(200);
  });

  describe('survives a client that resets the connection', () => {
    const tunnel = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
    let client: Socket;
    beforeEach(() => {
      const { hostname, port } = new URL(url);
      client = connect(Number(port), hostname);
    });

    afterEach(async () => {
      await sleep(20);
      expect((await call('/elsewhere')).status).toBe(200);
    });

    test('after its CONNECT is refused', async () => {
      client.write(tunnel);
      await once(client, 'data');
      client.resetAndDestroy();
    });

    test('before its CONNECT is refused', async () => {
      const reset = new Promise<void>((resolve) => {
        functions.Open = async () => {
          client.resetAndDestroy();
          resolve();
          return { statusCode: 200 };
        };
      });
      client.write(`GET /open HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n${tunnel}`);
      await reset;
    });

    test('after a malformed request', async () => {
      client.write('garbage\r\n\r\n');
      await once(client, 'data');
      client.resetAndDestroy();
    });
  });

  test('returns the URL with its port', async () => {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
  });

  test('throws a UserError that names PORT if the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const refused = new Gateway().listen('127.0.0.1', port);
    await refused.catch(() => {});
    await new Promise((resolve) => other.close(resolve));
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is already in use. Set PORT to another port`,
    );
  });

  test('throws a UserError if the host is not an address of this machine', async () => {
    const refused = new Gateway().listen('192.0.2.1', 0);
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(
      /^The service cannot listen on 192\.0\.2\.1, .*\. Set HOST to an address of this computer, such as 127\.0\.0\.1\.$/,
    );
  });
});

describe('Gateway.mount', () => {
  beforeEach(() => {
    gateway.mount('/secret/page', (_, response) => response.end('mounted'));
  });

  test('makes a handler respond to GET, without a report', async () => {
    const reports: Activity[] = [];
    const stop = onActivity((activity) => reports.push(activity));
    expect(await call('/secret/page')).toMatchObject({ status: 200, body: 'mounted' });
    stop();
    expect([reports, invocations]).toEqual([[], []]);
  });

  test.each([
    ['another method', '/secret/page', 'POST'],
    ['another path', '/secret/page/', 'GET'],
    ['a query', '/secret/page?a=1', 'GET'],
  ])('leaves a request with %s to the API', async (_, path, method) => {
    await call(path, { method });
    expect(invocations).toHaveLength(1);
  });

  test('leaves a request for another host to the API, which refuses it', async () => {
    expect((await call('/secret/page', { headers: { Host: 'evil.example' } })).status).toBe(421);
  });
});

describe('Gateway.hold', () => {
  /** Resolves after the server has received the next request, and has had the time to invoke a function for it. */
  async function nextRequest(): Promise<void> {
    await new Promise<void>((resolve) => {
      const listener = () => {
        unsubscribe('http.server.request.start', listener);
        resolve();
      };
      subscribe('http.server.request.start', listener);
    });
    for (let turns = 0; turns < 10; turns += 1) await turn();
  }

  test('delays new requests until the promise resolves', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gateway.hold(promise);
    const received = nextRequest();
    const reply = call('/open');
    await received;
    functions.Open = () => ({ statusCode: 200, body: '"new"' });
    expect(invocations).toEqual([]);
    resolve();
    expect((await reply).body).toBe('"new"');
  });

  test('delays no requests after the promise has resolved', async () => {
    const done = Promise.resolve();
    gateway.hold(done);
    await done;
    expect((await call('/open')).status).toBe(200);
  });

  test('delays a request for at most 10 s', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    gateway.hold(new Promise(() => {}));
    const received = nextRequest();
    const reply = call('/open');
    await received;
    mock.timers.tick(9_999);
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect(invocations).toEqual([]);
    mock.timers.tick(1);
    expect((await reply).status).toBe(200);
  });
});

describe('Gateway.close', () => {
  /** Starts a request whose function waits until `respond` is called. */
  async function underWay(agent?: Agent): Promise<{ reply: Promise<number>; respond: () => void }> {
    const { hostname, port } = new URL(url);
    let respond = () => {};
    const invoked = new Promise<void>((resolve) => {
      functions.Open = () => {
        resolve();
        return new Promise((settle) => {
          respond = () => settle({ statusCode: 200, body: 'in time' });
        });
      };
    });
    const reply = new Promise<number>((resolve, reject) => {
      request({ hostname, port, path: '/open', agent: agent ?? false }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      })
        .once('error', reject)
        .end();
    });
    await invoked;
    return { reply, respond };
  }

  test('completes requests in progress, and accepts no new requests', async () => {
    const { reply, respond } = await underWay();
    const closed = gateway.close(5_000);
    await expect(call('/open')).rejects.toThrow('ECONNREFUSED');
    respond();
    expect(await reply).toBe(200);
    await closed;
  });

  test('closes connections after the drain timeout', async () => {
    const { reply, respond } = await underWay();
    const lost = expect(reply).rejects.toThrow('socket hang up');
    await gateway.close(20);
    await lost;
    respond();
  });

  test('does not wait for idle connections', async () => {
    const agent = new Agent({ keepAlive: true });
    const { reply, respond } = await underWay(agent);
    respond();
    await reply;
    await sleep(10);
    expect(await Promise.race([gateway.close(5_000), sleep(1_000, 'too long')])).toBeUndefined();
    agent.destroy();
  });

  test('does not wait after the last response', async () => {
    const agent = new Agent({ keepAlive: true });
    const { reply, respond } = await underWay(agent);
    const closed = gateway.close(5_000);
    respond();
    await reply;
    const waited = await Promise.race([closed, sleep(300, 'too long')]);
    agent.destroy();
    await closed;
    expect(waited).toBeUndefined();
  });
});
