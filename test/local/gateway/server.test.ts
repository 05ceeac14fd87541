import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Agent, request, STATUS_CODES } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { mock } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { Gateway } from '../../../local/gateway/server.ts';
import { FunctionError, TooManyRequestsException } from '../../../local/lambda/errors.ts';
import { type Activity, onActivity } from '../../../local/platform/activity.ts';
import { UserError } from '../../../local/platform/user-error.ts';
import { account, arn } from '../../../local/template/arns.ts';
import { readAssembly } from '../../../local/template/synthesize.ts';
import { apiModelOf, functionArn } from '../../support/local-api.ts';
import { synthesized } from '../../support/prepare.ts';
import { exchange, type Reply, type RequestOptions, send } from '../../support/raw-http.ts';

/*
 * The sources of the tables:
 * - events and responses of functions: https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 * - limits and changed headers: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 * - responses of API Gateway: https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 * - authorizers: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html
 */

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
const responsesWithout = (type: string) =>
  gatewayResponses.filter(({ ResponseType }) => ResponseType !== type);

type Handler = (event: APIGatewayProxyEvent) => unknown;

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
/** The format of `JKJaXmPLvHcESHA=`, which is the example in the AWS documentation. */
const extendedId = expect.stringMatching(/^[\w-]{15}=$/);
const traceId = expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/);
const logged = jest.spyOn(console, 'log').mockImplementation(() => {});
let gateway: Gateway;
let url: string;
let host: string;
let invocations: { name: string; event: APIGatewayProxyEvent }[];
/** The function handlers, by name. All other functions return 200. */
let functions: Record<string, Handler>;

beforeEach(async () => {
  logged.mockClear();
  gateway = new Gateway();
  url = await gateway.listen('127.0.0.1', 0);
  ({ host } = new URL(url));
  invocations = [];
  functions = {};
  serve();
});

afterEach(async () => {
  mock.timers.reset();
  await gateway.close(0);
});

function serve({ cacheSeconds = 60, responses = gatewayResponses } = {}): void {
  const model = apiModelOf({ methods, cacheSeconds, gatewayResponses: responses });
  gateway.serve(model, async (invokedArn, event) => {
    const name = invokedArn.split(':').at(-1) ?? '';
    invocations.push({ name, event: event as APIGatewayProxyEvent });
    return (functions[name] ?? (() => ({ statusCode: 200, body: '{}' })))(event as APIGatewayProxyEvent);
  });
}

const call = (path: string, options?: RequestOptions) => send(url, path, options);
const callAs = (user: string, path: string, options: RequestOptions = {}) =>
  call(path, { ...options, headers: { ...options.headers, Authorization: user } });
const throws = (error: Error) => () => {
  throw error;
};
const invoked = () => invocations.map(({ name }) => name);

/** Returns the text of a request after whose response the connection ends. */
const textOf = (line: string, ...fields: string[]) =>
  [line, ...fields, 'Connection: close', '', ''].join('\r\n');
const exchangeText = async (text: string, options?: { halfClose: boolean }) =>
  String(await exchange(url, [Buffer.from(text)], options));

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

/** The body of DEFAULT_4XX and of DEFAULT_5XX has no status. */
function expectProblem(reply: Reply, status: number): void {
  const titles: Record<number, string> = {
    417: 'Request Refused',
    421: 'Request Refused',
    431: 'Request Refused',
  };
  const title = titles[status] ?? STATUS_CODES[status === 502 ? 500 : status];
  expect(reply.status).toBe(status);
  expect(reply.headers).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': extendedId,
  });
  const instance = `#${reply.headers['x-request-id']}`;
  expect({ status, ...JSON.parse(reply.body) }).toMatchObject({ instance, title, status });
}

/** Makes a function wait. Returns a promise of its invocation, and a function that makes it respond. */
function hold(name: string, body = 'late'): { begun: Promise<void>; respond: () => void } {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<object>()];
  functions[name] = () => {
    begun.resolve();
    return end.promise;
  };
  return { begun: begun.promise, respond: () => end.resolve({ statusCode: 200, body }) };
}

/** Returns the response to a request whose function does not respond before the timeout of API Gateway. */
async function replyAtTimeout(name: string, request: () => Promise<Reply>): Promise<Reply> {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const { begun } = hold(name);
  const reply = request();
  await begun;
  mock.timers.tick(29_000);
  return reply;
}

/** Waits until the server has had the time to invoke a function. */
async function someTurns(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await turn();
}

/** Returns the reports of the requests during some work. */
async function reportsOf(work: () => Promise<unknown>): Promise<Activity[]> {
  const reports: Activity[] = [];
  const stop = onActivity((activity) => reports.push(activity));
  await work().finally(stop);
  return reports;
}

describe('The event of a request', () => {
  test('has all fields of an event of API Gateway', async () => {
    const before = Date.now();
    const sent = { 'X-Word': 'woof', 'User-Agent': 'tester', 'Content-Type': 'text/plain' };
    await call('/open/rex?a=1&b=2&a=3', { method: 'POST', headers: sent, body: 'bow wow' });
    const event = eventOf('OpenOne');
    expect(event).toEqual({
      resource: '/open/{id}',
      path: '/open/rex',
      httpMethod: 'POST',
      headers: {
        ...sent,
        Host: host,
        'X-Amzn-Trace-Id': traceId,
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
        extendedRequestId: extendedId,
        httpMethod: 'POST',
        identity: expect.objectContaining({ sourceIp: '127.0.0.1', userAgent: 'tester', user: null }),
        path: '/open/rex',
        protocol: 'HTTP/1.1',
        requestId: uuid,
        requestTime: expect.stringMatching(/^\d{2}\/[A-Z][a-z]{2}\/\d{4}:\d{2}:\d{2}:\d{2} \+0000$/),
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

  const long = 'wau 🐕 '.repeat(20_000);
  const none = { queryStringParameters: null, multiValueQueryStringParameters: null };
  type Row = [path: string, options: RequestOptions, expected: object];
  const query = (text: string, multiValueQueryStringParameters: object): Row => [
    `/open?${text}`,
    {},
    { path: '/open', multiValueQueryStringParameters },
  ];
  const parameters = (path: string, pathParameters: object): Row => [path, {}, { path, pathParameters }];
  const headers = (sent: Record<string, string | string[]>, expected: object): Row => [
    '/open',
    { headers: sent },
    expected,
  ];

  test.each<Row>([
    ['/open', {}, { ...none, body: null, pathParameters: null }],
    parameters('/open/rex', { id: 'rex' }),
    parameters('/open/rex/', { id: 'rex' }),
    parameters('/open/r%C3%A9x', { id: 'réx' }),
    parameters('/open/a%2Fb', { id: 'a/b' }),
    parameters('/open/a+b', { id: 'a+b' }),
    parameters('/open/%2E%2E', { id: '..' }),
    parameters('/elsewhere/r%20x', { proxy: 'elsewhere/r x' }),
    ['/open?', {}, { path: '/open', ...none }],
    query('a', { a: [''] }),
    query('a=', { a: [''] }),
    query('a=b=c', { a: ['b=c'] }),
    query('a=1%262+3', { a: ['1&2 3'] }),
    query('a=1?2', { a: ['1?2'] }),
    query('%C3%A9=%C3%A9', { é: ['é'] }),
    query('__proto__=1', JSON.parse('{"__proto__": ["1"]}')),
    [
      '/open',
      { method: 'POST', body: Buffer.from([0x61, 0xff, 0xc3, 0x62]) },
      { body: 'a\ufffd\ufffdb', isBase64Encoded: false },
    ],
    ['/open', { method: 'PUT', body: long }, { body: long }],
    headers(
      { 'x-LOUD-word': ['woof', 'wow'], __proto__: 'no' },
      { multiValueHeaders: { 'x-LOUD-word': ['woof', 'wow'] }, headers: { 'x-LOUD-word': 'wow' } },
    ),
    ...'Accept Authorization Content-Encoding Date Pragma Range Referer User-Agent Via X-Word'
      .split(' ')
      .map((name) => headers({ [name]: 'mine' }, { headers: { [name]: 'mine' } })),
  ])('%# has the decoded request: %s', async (path, options, expected) => {
    await call(path, options);
    const [{ event } = { event: undefined }] = invocations;
    expect(event).toMatchObject(expected);
    const { multiValueQueryStringParameters } = expected as Partial<APIGatewayProxyEvent>;
    if (multiValueQueryStringParameters)
      expect(event?.multiValueQueryStringParameters).toEqual(multiValueQueryStringParameters);
  });

  test('has a unique request ID, or the one that the client chose, and a separate extended request ID', async () => {
    await call('/open');
    await call('/open');
    expect(new Set(invocations.map(({ event }) => event.requestContext.requestId)).size).toBe(2);
    invocations = [];
    const { headers } = await call('/open', { headers: { 'x-amzn-requestid': 'mine' } });
    const { requestId, extendedRequestId } = eventOf('Open').requestContext;
    expect([requestId, extendedRequestId]).toEqual(['mine', extendedId]);
    expect(headers).toMatchObject({ 'x-amzn-requestid': 'mine', 'x-amz-apigw-id': extendedRequestId });
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
    const names = Object.keys({ ...headers, ...multiValueHeaders }).map((one) => one.toLowerCase());
    expect(names).not.toContain(name.toLowerCase());
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
      expect([values(headers), values(multiValueHeaders)]).toEqual([['http'], [['http']]]);
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
    const requestContext = expect.objectContaining({ path });
    expect(eventOf('OpenOne')).toMatchObject({ path, queryStringParameters: query, requestContext });
  });

  test.each(['', '?a=1'])('has the path / if the URL ends in "%s"', async (end) => {
    gateway.serve(apiModelOf({ methods: { 'GET /': '!Root' } }), async (_, event) => ({
      statusCode: 200,
      body: (event as APIGatewayProxyEvent).path,
    }));
    expect(await call(`${url}${end}`)).toMatchObject({ status: 200, body: '/' });
  });

  test.each(['evil.example', ''])('has the host of the URL instead of the Host header "%s"', async (Host) => {
    const own = `LOCALHOST:${new URL(url).port}`;
    expect((await call(`http://${own}/open`, { headers: { Host } })).status).toBe(200);
    const { headers, multiValueHeaders, requestContext } = eventOf('Open');
    expect([headers.Host, multiValueHeaders.Host, requestContext.domainName]).toEqual([own, [own], own]);
  });

  test('is served without a Host header if it uses HTTP/1.0', async () => {
    expect((await exchangeReply(`GET ${url}/open HTTP/1.0\r\n\r\n`)).status).toBe(200);
    expect(eventOf('Open').requestContext.domainName).toBe(host);
  });
});

describe('A request with X-HTTP-Method-Override', () => {
  const override = (method: string, name = 'X-HTTP-Method-Override') => ({ headers: { [name]: method } });

  test.each(['X-HTTP-Method-Override', 'x-http-method-override'])(
    'reaches the authorizer and the function with the method that %s names, and without the header',
    async (name) => {
      functions.Guard = () => allow(`${stageArn}/PUT/dogs/rex`);
      expect((await callAs('me', '/dogs/rex', override('PUT', name))).status).toBe(200);
      expect(invoked()).toEqual(['Guard', 'PutDog']);
      for (const { event } of invocations) {
        expect([event.httpMethod, event.requestContext.httpMethod]).toEqual(['PUT', 'PUT']);
        expect(JSON.stringify(event).toLowerCase()).not.toContain('method-override');
      }
    },
  );

  test.each([
    ['a public method', '/open', 'DELETE', 'Open', 'DELETE'],
    ['the greedy resource, if the path lacks the method', '/dogs', 'DELETE', 'Fallback', 'DELETE'],
    ['its own method, if the header is empty', '/open', '', 'Open', 'GET'],
  ])('reaches %s', async (_, path, method, name, expected) => {
    await call(path, override(method));
    expect(eventOf(name).httpMethod).toBe(expected);
    expect(JSON.stringify(eventOf(name)).toLowerCase()).not.toContain('method-override');
  });

  test.each(['PURGE', 'delete', 'DELETE, PUT'])(
    'gets 400 if it names %s, which is not a method',
    async (method) => {
      expectProblem(await call('/open', override(method)), 400);
      expect(invocations).toEqual([]);
    },
  );
});

describe('The response of a function', () => {
  const json = { 'content-type': 'application/json' };
  test.each<[what: string, response: object, expected: object]>([
    [
      'its status, headers and body',
      {
        statusCode: 201,
        headers: { Location: '/open/1', 'Content-Type': 'text/plain; charset=utf-8', 'X-Number': 5 },
        multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
        body: 'wau 🐕',
      },
      {
        status: 201,
        headers: {
          location: '/open/1',
          'content-type': 'text/plain; charset=utf-8',
          'content-length': '8',
          'x-number': '5',
          'set-cookie': ['a=1', 'b=2'],
        },
        body: 'wau 🐕',
      },
    ],
    [
      'a header only once if it is in both header objects',
      { statusCode: 200, headers: { A: '1' }, multiValueHeaders: { A: ['1', '2'] } },
      { headers: { a: '1, 2' } },
    ],
    ['a body in Base64', { statusCode: 200, body: 'd29vZg==', isBase64Encoded: true }, { body: 'woof' }],
    ['the type application/json by default', { statusCode: 200, body: '{}' }, { headers: json }],
    ...[200, 201, 205, 303].map((statusCode): [string, object, object] => [
      `the type application/json even without a body: ${statusCode}`,
      { statusCode, body: '' },
      { status: statusCode, headers: { ...json, 'content-length': '0' }, body: '' },
    ]),
    ...'Authorization Connection Content-Length Content-MD5 Date Max-Forwards Server User-Agent WWW-Authenticate'
      .split(' ')
      .map((name): [string, object, object] => [
        `${name} only as a remapped header`,
        { statusCode: 401, headers: { [name]: 'mine' }, body: 'x' },
        {
          headers: { [`x-amzn-remapped-${name.toLowerCase()}`]: 'mine' },
          body: 'x',
        },
      ]),
  ])('reaches the client with %s', async (_, response, expected) => {
    functions.Open = () => response;
    const reply = await call('/open');
    expect(reply).toMatchObject(expected);
    const own = reply.rawHeaders.filter(
      (value, i) => value === 'mine' && !/remapped/i.test(reply.rawHeaders[i - 1] ?? ''),
    );
    expect(own).toEqual([]);
  });

  test.each('Expect Host Proxy-Authenticate TE Trailer Transfer-Encoding Upgrade Via'.split(' '))(
    'does not have the header %s',
    async (name) => {
      functions.Open = () => ({ statusCode: 200, headers: { [name]: 'mine' }, body: 'x' });
      const { rawHeaders, body } = await call('/open');
      expect([rawHeaders.filter((one) => one === 'mine'), body]).toEqual([[], 'x']);
    },
  );

  test.each([
    ['HEAD', 200, /\r\nContent-Length: 0(\r\n|$)/],
    ['GET', 204, /^(?!.*(content-length|transfer-encoding))/is],
    ['GET', 304, /^(?!.*(content-length|transfer-encoding))/is],
  ])('to %s with status %d has its headers and no body', async (method, statusCode, length) => {
    functions.Open = () => ({ statusCode, headers: { ETag: '"1"' }, body: 'never' });
    const response = await exchangeText(textOf(`${method} /open HTTP/1.1`, `Host: ${host}`));
    const [head = '', body] = response.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${statusCode} `));
    expect(head).toMatch(/\r\nETag: "1"(\r\n|$)/);
    expect(head).toMatch(length);
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

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['text', 'woof'],
    ['no status', { body: 'woof' }],
    ['a status that is not a number', { statusCode: 'fine' }],
    ['a status that is not an integer', { statusCode: 200.5 }],
    ['a status that is too small', { statusCode: 199 }],
    ['a status that is too large', { statusCode: 600 }],
    ['a body that is not text', { statusCode: 200, body: { a: 1 } }],
    ['a header of two lines', { statusCode: 200, headers: { Location: '/a\nb' } }],
    ['a header that is not Latin-1', { statusCode: 200, headers: { Location: '/🐕' } }],
    ['a header name with a space', { statusCode: 200, headers: { 'My Header': 'a' } }],
  ])('becomes 502 if it is malformed: %s', async (_, response) => {
    functions.Open = () => response;
    const reply = await call('/open');
    expectProblem(reply, 502);
    expect(reply.headers['x-amzn-errortype']).toBe('InternalServerErrorException');
  });

  test.each<[number, string, Error, string | undefined]>([
    [502, 'the function fails', new FunctionError('Error', 'the secret reason'), 'the secret reason'],
    [500, 'the gateway fails', new Error('the secret reason'), undefined],
    [
      503,
      'Lambda throttles the function',
      new TooManyRequestsException(),
      'Lambda throttled the function: Rate Exceeded.',
    ],
  ])('becomes %d, without the reason, if %s', async (status, _, error, line) => {
    functions.Open = throws(error);
    const reply = await call('/open');
    expectProblem(reply, status);
    expect(reply.body).not.toContain('secret');
    if (line) expect(logged).toHaveBeenCalledWith(line);
    if (status === 502) expect(reply.headers['x-amzn-errortype']).toBe('InternalServerErrorException');
    if (status !== 503) return;
    expect(reply.headers['retry-after']).toBe('1');
    expect(JSON.parse(reply.body).detail).toMatch(/The request may have taken effect\./);
    serve({ responses: responsesWithout('INTEGRATION_FAILURE') });
    const other = await call('/open');
    expectProblem(other, 500);
    expect(other.headers).not.toHaveProperty('retry-after');
  });

  test('becomes 504 if the function takes longer than the timeout of API Gateway', async () => {
    expectProblem(await replyAtTimeout('Open', () => call('/open')), 504);
  });

  test('is reported with its status, duration, function and problem', async () => {
    functions.Open = () => ({
      statusCode: 404,
      headers: { 'Content-Type': 'application/problem+json' },
      body: JSON.stringify({ detail: 'There is no dog "rex".' }),
    });
    let requestId: unknown;
    const reports = await reportsOf(async () => {
      const { headers } = await call('/open?a=1');
      requestId = headers['x-request-id'] ?? headers['x-amz-apigw-id'];
    });
    expect(reports).toEqual([
      {
        type: 'request',
        method: 'GET',
        path: '/open?a=1',
        status: 404,
        durationMs: expect.any(Number),
        requestId,
        functionName: functionArn('Open'),
        detail: 'There is no dog "rex".',
      },
    ]);
  });
});

test('The Date of a response is the time of the clock, and its status is 503 before serve is called', async () => {
  const other = new Gateway({ now: () => Date.UTC(2027, 0, 1) });
  const reply = await send(await other.listen('127.0.0.1', 0), '/open').finally(() => other.close(0));
  expect([reply.headers.date, reply.status]).toEqual(['Fri, 01 Jan 2027 00:00:00 GMT', 503]);
});

describe('A response that API Gateway generates itself', () => {
  const long = 'a'.repeat(16 * 1024);
  const get = (target: string, ...fields: string[]) =>
    textOf(`GET ${target} HTTP/1.1`, `Host: ${host}`, ...fields);
  const port = () => new URL(url).port;
  const forHost = (name: string) => textOf('GET /open HTTP/1.1', `Host: ${name.replace('<port>', port())}`);

  type Refusal = [status: number, what: string, request: () => string];
  const refusals = (status: number, texts: readonly string[], request: (text: string) => string) =>
    texts.map((text): Refusal => [status, text, () => request(text)]);

  test.each<Refusal>([
    ...refusals(400, ['/%', '/open/%zz', '/open/%C3', '/%E0%A4%A'], (path) => get(path)),
    // A target that is neither a path nor a URL.
    ...refusals(400, ['*', 'open', 'http:/open', 'http:open'], (target) => get(target)),
    ...refusals(400, ['TRACE', 'PROPFIND', 'PURGE'], (method) =>
      textOf(`${method} /open HTTP/1.1`, `Host: ${host}`),
    ),
    // A text that is not HTTP.
    ...refusals(
      400,
      ['BARK / HTTP/1.1', 'get / HTTP/1.1', 'woof', 'GET / HTTP/1.1\r\na b'],
      (text) => `${text}\r\n\r\n`,
    ),
    [400, 'an HTTP/1.1 request without a Host header', () => textOf('GET /open HTTP/1.1')],
    [400, 'an HTTP/1.1 request for a URL without a Host header', () => textOf(`GET ${url}/open HTTP/1.1`)],
    [400, 'a second Host header', () => get('/open', 'Host: evil.example')],
    [
      400,
      'another Host header before',
      () => textOf('GET / HTTP/1.1', 'Host: evil.example', `Host: ${host}`),
    ],
    [417, 'an unknown expectation', () => get('/open', 'Expect: woof')],
    // Another name, also with the port of the gateway, or with the name of the gateway as its prefix.
    ...refusals(421, ['evil.example', 'evil.example:<port>', 'localhost.evil.example:<port>'], forHost),
    // Another port, and another address of this machine.
    ...refusals(421, ['127.0.0.1:1', '127.0.0.2:<port>'], forHost),
    [421, 'an HTTP/1.0 request without a Host header', () => 'GET /open HTTP/1.0\r\n\r\n'],
    ...refusals(421, ['http://evil.example/open', 'http://127.0.0.1:1/open', 'http:///open'], (target) =>
      get(target),
    ),
    [421, 'a URL with a user', () => get(`http://rex@${host}/open`)],
    [421, 'a URL with the scheme https', () => get(`https://${host}/open`)],
    [421, 'a URL with another scheme', () => get(`ftp://${host}/open`)],
    [431, 'a header over 16 KB', () => get('/open', `X-Field: ${long}`)],
    [431, 'a header name over 16 KB', () => get('/open', `${long}: x`)],
    [431, 'a target over 16 KB', () => get(`/${long}`)],
  ])('has status %d for %s, and the CORS headers of the template', async (status, _, request) => {
    const allowed = { 'gatewayresponse.header.Access-Control-Allow-Origin': "'https://dogs.example'" };
    serve({
      responses: gatewayResponses.map((response) => ({
        ...response,
        ResponseParameters: { ...response.ResponseParameters, ...allowed },
      })),
    });
    const reply = await exchangeReply(request());
    expectProblem(reply, status);
    expect(reply.headers).toMatchObject({
      'content-length': String(Buffer.byteLength(reply.body)),
      connection: 'close',
      'access-control-allow-origin': 'https://dogs.example',
    });
    expect(JSON.parse(reply.body).detail).not.toMatch(status === 431 ? 'method' : /^$/);
    expect(invocations).toEqual([]);
  });

  test('has status 400 for CONNECT', async () => {
    const bytes = 'CONNECT dogs.example:443 HTTP/1.1\r\nHost: dogs.example\r\n\r\n';
    expect(await exchangeText(bytes)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(invocations).toEqual([]);
  });

  test.each([
    ['an unknown expectation', '', 'Expect: woof\r\nContent-Length: 2\r\n\r\n{}', 417],
    ['a malformed body', '', 'Transfer-Encoding: chunked\r\n\r\nno number\r\n', 400],
    ['a malformed request', 'Content-Length: 2\r\n\r\n{}', 'garbage', 400],
  ])('for %s follows the responses to the previous requests', async (_, more, last, status) => {
    functions.Open = async () => {
      for (let i = 0; i < 5; i += 1) await someTurns();
      return { statusCode: 201, body: '{}' };
    };
    const head = `POST /open HTTP/1.1\r\nHost: ${host}\r\n`;
    const earlier = `${head}Content-Length: 2\r\n\r\n{}${more && head + more}`;
    const responses = await exchangeText(`${earlier}${more ? `${last}\r\n\r\n` : head + last}`);
    const created = Array(more ? 2 : 1).fill('HTTP/1.1 201');
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual([...created, `HTTP/1.1 ${status}`]);
  });

  test('has status 413 for a body over 10 MB, even if the template customizes that response', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024 + 1, 'a');
    const customized = ['REQUEST_TOO_LARGE', 'DEFAULT_4XX'].map((ResponseType) => ({
      ResponseType,
      StatusCode: '400',
      ResponseTemplates: { 'application/json': 'mine' },
    }));
    serve({ responses: customized });
    const { status, headers, body: text } = await call('/open', { method: 'POST', body });
    expect([status, JSON.parse(text)]).toEqual([413, { message: 'Request Too Long' }]);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-amzn-errortype': 'RequestTooLargeException',
    });
    const chunked = { 'Transfer-Encoding': 'chunked' };
    expect((await call('/open', { method: 'POST', headers: chunked, body })).status).toBe(413);
    expect(invocations).toEqual([]);
  });

  test.each([
    ['10 MB', 413, Buffer.alloc(10 * 1024 * 1024, 'a')],
    ['6 MB', 413, Buffer.alloc(6 * 1024 * 1024, 'a')],
    ['4 MB that JSON doubles', 413, Buffer.alloc(4 * 1024 * 1024, '"')],
    ['slightly less than 6 MB', 200, Buffer.alloc(6 * 1024 * 1024 - 4_000, 'a')],
  ])('limits the size of the event to that of Lambda: a body of %s gets %d', async (_, expected, body) => {
    const { status, headers } = await call('/open', { method: 'POST', body });
    const type = expected === 413 ? 'RequestTooLargeException' : undefined;
    expect([status, headers['x-amzn-errortype']]).toEqual([expected, type]);
    expect(invocations).toHaveLength(expected === 413 ? 0 : 1);
  });

  test.each(['127.0.0.1', 'localhost', 'LocalHost', '[::1]'])(
    'is not sent if the Host is %s',
    async (name) => {
      const Host = `${name}:${port()}`;
      expect((await call('/open', { headers: { Host } })).status).toBe(200);
      expect(eventOf('Open').requestContext.domainName).toBe(Host);
    },
  );

  test('is not sent if the Host is the address of the connection', async () => {
    const everywhere = new Gateway();
    const own = new URL(await everywhere.listen('0.0.0.0', 0)).port;
    everywhere.serve(apiModelOf({ methods, gatewayResponses }), async () => ({ statusCode: 200 }));
    const addresses = Object.values(networkInterfaces()).flatMap((all = []) =>
      all.flatMap(({ family, address }) => (family === 'IPv4' ? [address] : [])),
    );
    for (const address of addresses) {
      const sendTo = (name: string) =>
        send(`http://${address}:${own}`, '/open', { headers: { Host: `${name}:${own}` } });
      const replies = await Promise.all([address, 'evil.example', '203.0.113.7'].map(sendTo));
      expect([address, ...replies.map(({ status }) => status)]).toEqual([address, 200, 421, 421]);
    }
    await everywhere.close(0);
  });

  test('has an extended request ID that the client cannot choose, and no remapped headers', async () => {
    const chosen = 'c159c6be-ea56-4ee2-b8f1-ee0c8ba40e4d';
    const reply = await call('/dogs', { headers: { 'X-Amzn-RequestId': chosen } });
    expectProblem(reply, 401);
    expect(reply.headers['x-amzn-requestid']).toBe(chosen);
    expect(reply.body).not.toContain(chosen);
    expect(reply.headers['www-authenticate']).toBe(challenge);
    expect(reply.headers).not.toHaveProperty('x-amzn-remapped-www-authenticate');
  });

  test('to HEAD has no body', async () => {
    const { status, headers, body } = await call('/%', { method: 'HEAD' });
    expect([status, headers['content-length'], body]).toEqual([400, '0', '']);
  });

  test.each<[string, string, RequestOptions]>([
    ['UnauthorizedException', '/dogs', {}],
    ['BadRequestException', '/%', {}],
    ['BadRequestException', '/open', { method: 'POST', headers: { Expect: 'woof' }, body: '{}' }],
    ['MissingAuthenticationTokenException', '/open', { method: 'PURGE' }],
  ])('has the error type %s and the IDs, but no trace ID', async (errorType, path, options) => {
    const { headers } = await call(path, options);
    expect(headers).toMatchObject({
      'x-amzn-errortype': errorType,
      'x-amzn-requestid': uuid,
      'x-amz-apigw-id': extendedId,
    });
    expect(headers).not.toHaveProperty('x-amzn-trace-id');
  });
});

const challenge = 'Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"';
const stageArn = arn('execute-api', 'Stack-Api/test');

/** Returns what an authorizer returns for a policy with the given statements. */
const policyOf = (...Statement: unknown[]) => ({
  principalId: 'rex',
  policyDocument: { Version: '2012-10-17', Statement },
});
const statementOf = (Effect: string, ...Resource: string[]) => ({
  Action: 'execute-api:Invoke',
  Effect,
  Resource,
});
const allow = (...resources: string[]) => policyOf(statementOf('Allow', ...resources));
const allowAll = () => allow(`${stageArn}/*`);

describe('The authorizer', () => {
  const guarded = () => invoked().filter((name) => name === 'Guard').length;

  beforeEach(() => {
    functions.Guard = allowAll;
  });

  test('receives the request without its body', async () => {
    await callAs('me', '/dogs/rex?a=1', { method: 'PUT', body: 'secret', headers: { 'X-Word': 'woof' } });
    expect(eventOf('Guard')).toMatchObject({
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
    expect(eventOf('Guard')).not.toHaveProperty('body');
    expect(eventOf('Guard')).not.toHaveProperty('isBase64Encoded');
  });

  test('passes the values of its context as strings to the function if it allows the request', async () => {
    functions.Guard = () => ({ ...allowAll(), context: { plan: 'gold', dogs: 3, paid: true } });
    expect((await callAs('me', '/dogs')).status).toBe(200);
    const context = { plan: 'gold', dogs: '3', paid: 'true' };
    expect(eventOf('ListDogs').requestContext.authorizer).toEqual({
      principalId: 'rex',
      ...context,
      integrationLatency: 0,
    });
  });

  test('is not invoked for a public method', async () => {
    await callAs('me', '/open');
    expect(invoked()).toEqual(['Open']);
    expect(eventOf('Open').requestContext.authorizer).toBeUndefined();
  });

  test.each<[string, Record<string, string>, string[]]>([
    ['no identity', {}, []],
    ['an empty identity', { Authorization: '' }, []],
    ['an identity that it refuses with the error Unauthorized', { Authorization: 'me' }, ['Guard']],
  ])('causes 401 for a request with %s', async (_, headers, expected) => {
    functions.Guard = throws(new FunctionError('Error', 'Unauthorized'));
    const reply = await call('/dogs', { headers });
    expectProblem(reply, 401);
    expect(reply.headers['www-authenticate']).toBe(challenge);
    expect(invoked()).toEqual(expected);
  });

  test.each(['authorization', 'AUTHORIZATION'])('reads the identity from the header %s', async (name) => {
    expect((await call('/dogs', { headers: { [name]: 'me' } })).status).toBe(200);
  });

  const statement = statementOf('Allow', `${stageArn}/*`);
  const errors = [
    ...['Unauthorized.', 'unauthorized', 'Unauthorized ', 'the database is gone'].map(
      (message) => new FunctionError('Error', message),
    ),
    new FunctionError('Sandbox.Timedout', 'Guard: Task timed out after 10 seconds'),
    new FunctionError('Runtime.ExitError', 'Guard: Runtime exited'),
    new TooManyRequestsException(),
  ];
  const outputs: [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['text', 'Allow'],
    ['no policy', { principalId: 'rex' }],
    ['a policy without statements', { principalId: 'rex', policyDocument: {} }],
    ['a statement that is not an object', policyOf('Allow')],
    ['a statement without a resource', policyOf({ ...statement, Resource: undefined })],
    ['a statement without an action', policyOf({ ...statement, Action: undefined })],
    ['a statement of another effect', policyOf({ ...statement, Effect: 'Maybe' })],
    ['a context with a list', { ...policyOf(statement), context: { roles: ['user'] } }],
    ['a context with an object', { ...policyOf(statement), context: { user: {} } }],
    ['a context that is not an object', { ...policyOf(statement), context: 'rex' }],
  ];

  test.each<[string, Handler]>([
    ...errors.map((error): [string, Handler] => [`throws "${error.message}"`, throws(error)]),
    ...outputs.map(([what, output]): [string, Handler] => [`returns ${what}`, () => output]),
  ])('that %s is AUTHORIZER_CONFIGURATION_ERROR, and is invoked again', async (_, handler) => {
    functions.Guard = handler;
    const reply = await callAs('me', '/dogs');
    expectProblem(reply, 503);
    expect(reply.headers).toMatchObject({
      'retry-after': '1',
      'x-amzn-errortype': 'AuthorizerConfigurationException',
    });
    expect(JSON.parse(reply.body).detail).toBe(
      'The service could not check the credentials. The request had no effect. Wait for the number of seconds in Retry-After, then send it again.',
    );
    expect(invoked()).toEqual(['Guard']);
    serve({ responses: responsesWithout('AUTHORIZER_CONFIGURATION_ERROR') });
    const other = await callAs('me', '/dogs');
    expectProblem(other, 500);
    expect(other.headers).not.toHaveProperty('retry-after');
    expect(other.headers['x-amzn-errortype']).toBe('AuthorizerConfigurationException');
    functions.Guard = allowAll;
    expect((await callAs('me', '/dogs')).status).toBe(200);
  });

  test('that takes longer than the timeout of API Gateway is AUTHORIZER_CONFIGURATION_ERROR', async () => {
    expectProblem(await replyAtTimeout('Guard', () => callAs('me', '/dogs')), 503);
  });

  test.each<[number, string, string[]]>([
    [200, 'the stage', [`${stageArn}/*`]],
    [200, 'the method', [`${stageArn}/GET/dogs/rex`]],
    [200, 'any method', [`${stageArn}/*/dogs/rex`]],
    [200, 'any dog', [`${stageArn}/GET/dogs/*`]],
    [200, 'a dog of three letters', [`${stageArn}/GET/dogs/???`]],
    [403, 'another method', [`${stageArn}/PUT/dogs/rex`]],
    [403, 'another path', [`${stageArn}/GET/dogs`]],
    [403, 'a longer path', [`${stageArn}/GET/dogs/rex/*`]],
    [403, 'a path with the same beginning', [`${stageArn}/GET/dogs.rex`]],
    [403, 'another stage', [arn('execute-api', 'Stack-Api/prod/*')]],
    [403, 'another API', [arn('execute-api', 'Other/test/*')]],
    [403, 'nothing', []],
  ])('causes %d for a request if its policy allows only %s', async (status, _, resources) => {
    functions.Guard = () => allow(...resources);
    const reply = await callAs('me', '/dogs/rex');
    if (status === 403) expectProblem(reply, 403);
    expect([reply.status, invoked()]).toEqual([status, status === 200 ? ['Guard', 'GetDog'] : ['Guard']]);
  });

  test('refuses a request that its policy both allows and denies', async () => {
    functions.Guard = () => policyOf(statement, statementOf('Deny', `${stageArn}/GET/dogs`));
    expectProblem(await callAs('me', '/dogs'), 403);
    expect((await callAs('me', '/dogs/rex')).status).toBe(200);
  });

  test('identifies the user in the report of the request', async () => {
    functions.PutDog = () => ({ statusCode: 201, headers: { location: '/dogs/rex' } });
    const reports = await reportsOf(() => callAs('me', '/dogs/rex', { method: 'PUT' }));
    expect(reports).toEqual([expect.objectContaining({ user: 'rex', location: '/dogs/rex' })]);
  });

  /** Makes a request of each user. Returns how often the authorizer has been invoked so far. */
  const afterRequestsOf = async (...users: string[]) => {
    for (const user of users) await callAs(user, '/dogs');
    return guarded();
  };

  test('is invoked once per user while its result is cached, and for each user', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    try {
      await afterRequestsOf('me');
      await callAs('me', '/dogs/rex', { method: 'PUT' });
      clock.mockReturnValue(1_059_999);
      await callAs('me', '/dogs/rex');
      expect(guarded()).toBe(1);
      clock.mockReturnValue(1_060_000);
      expect(await afterRequestsOf('me')).toBe(2);
      expect(await afterRequestsOf('you', 'ME')).toBe(4);
    } finally {
      clock.mockRestore();
    }
  });

  test('is invoked again after another API is served, and for each request if nothing is cached', async () => {
    await afterRequestsOf('me');
    serve();
    expect(await afterRequestsOf('me')).toBe(2);
    serve({ cacheSeconds: 0 });
    expect(await afterRequestsOf('me', 'me')).toBe(4);
  });

  test('is invoked again for the user whose result was not used for the longest time, of 1,001 results', async () => {
    await afterRequestsOf('me', 'you', ...Array.from({ length: 998 }, (_, i) => `user ${i}`));
    expect(await afterRequestsOf('me')).toBe(1_000);
    expect(await afterRequestsOf('user 998', 'me', 'user 0', 'user 998')).toBe(1_001);
    expect(await afterRequestsOf('you')).toBe(1_002);
  });

  test('is invoked again after it has thrown Unauthorized', async () => {
    functions.Guard = throws(new FunctionError('Error', 'Unauthorized'));
    await callAs('me', '/dogs');
    functions.Guard = allowAll;
    expect((await callAs('me', '/dogs')).status).toBe(200);
  });

  test('refuses another route because of its cached policy', async () => {
    functions.Guard = (event) => allow((event as unknown as { methodArn: string }).methodArn);
    expect((await callAs('me', '/dogs')).status).toBe(200);
    expectProblem(await callAs('me', '/dogs/rex'), 403);
    expect(guarded()).toBe(1);
  });
});

describe('The gateway', () => {
  test('invokes the function of the method, and no other', async () => {
    const called: string[] = [];
    gateway.serve(apiModelOf({ methods }), async (invokedArn) => {
      called.push(invokedArn);
      return { statusCode: 200 };
    });
    await call('/open');
    await call('/elsewhere');
    expect(called).toEqual([functionArn('Open'), functionArn('Fallback')]);
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

  describe('survives a client that', () => {
    const tunnel = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
    const connected = () => connect(Number(new URL(url).port), '127.0.0.1');

    afterEach(async () => {
      expect((await call('/elsewhere')).status).toBe(200);
    });

    test('disconnects while it sends the request, which gets no response', async () => {
      const client = connected();
      const part = `POST /open HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9\r\n\r\nwoof`;
      client.write(part, () => client.destroy());
      await once(client, 'close');
      await exchangeText(part, { halfClose: true });
      expect(invocations).toEqual([]);
      expect(logged).not.toHaveBeenCalled();
    });

    test('disconnects while it waits for the response', async () => {
      const { begun, respond } = hold('Open');
      const leaving = request(`${url}/open`);
      const gone = new Promise((resolve) => leaving.on('error', resolve));
      leaving.end();
      await begun;
      leaving.destroy();
      await gone;
      respond();
    });

    test.each(['garbage\r\n\r\n', tunnel])('resets the connection after %j is refused', async (bytes) => {
      const client = connected();
      client.write(bytes);
      await once(client, 'data');
      client.resetAndDestroy();
      await sleep(20);
    });

    test('resets the connection before its CONNECT is refused', async () => {
      const client = connected();
      const reset = new Promise<void>((resolve) => {
        functions.Open = async () => {
          client.resetAndDestroy();
          resolve();
          return { statusCode: 200 };
        };
      });
      client.write(`GET /open HTTP/1.1\r\nHost: ${host}\r\n\r\n${tunnel}`);
      await reset;
      await sleep(20);
    });
  });

  test('throws a UserError that names PORT if the port is in use', async () => {
    const [, port] = /^http:\/\/127\.0\.0\.1:([1-9]\d+)$/.exec(url) ?? [];
    const refused = new Gateway().listen('127.0.0.1', Number(port));
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
    const reports = await reportsOf(async () =>
      expect(await call('/secret/page')).toMatchObject({ status: 200, body: 'mounted' }),
    );
    expect([reports, invocations]).toEqual([[], []]);
  });

  test.each([
    ['another method', '/secret/page', { method: 'POST' }, 200],
    ['another path', '/secret/page/', {}, 200],
    ['a query', '/secret/page?a=1', {}, 200],
    ['another host', '/secret/page', { headers: { Host: 'evil.example' } }, 421],
  ])('leaves a request with %s to the API', async (_, path, options, status) => {
    const reply = await call(path, options);
    expect([reply.status, reply.body === 'mounted', invocations.length]).toEqual([
      status,
      false,
      status === 200 ? 1 : 0,
    ]);
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
    await someTurns();
  }

  test('delays new requests until the promise resolves, and none after that', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gateway.hold(promise);
    const received = nextRequest();
    const reply = call('/open');
    await received;
    functions.Open = () => ({ statusCode: 200, body: '"new"' });
    expect(invocations).toEqual([]);
    resolve();
    expect((await reply).body).toBe('"new"');
    expect((await call('/open')).status).toBe(200);
  });

  test('delays a request for at most 10 s', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    gateway.hold(new Promise(() => {}));
    const received = nextRequest();
    const reply = call('/open');
    await received;
    mock.timers.tick(9_999);
    await someTurns();
    expect(invocations).toEqual([]);
    mock.timers.tick(1);
    expect((await reply).status).toBe(200);
  });
});

describe('Gateway.close', () => {
  const agent = new Agent({ keepAlive: true });
  afterEach(() => agent.destroy());

  /** Starts a request whose function waits until `respond` is called. */
  async function underWay(): Promise<{ reply: Promise<number>; respond: () => void }> {
    const { begun, respond } = hold('Open');
    const reply = new Promise<number>((resolve, reject) => {
      request(`${url}/open`, { agent }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      })
        .once('error', reject)
        .end();
    });
    await begun;
    return { reply, respond };
  }

  test('completes requests in progress, accepts no new requests, and does not wait after the last response', async () => {
    const { reply, respond } = await underWay();
    const closed = gateway.close(5_000);
    await expect(call('/open')).rejects.toThrow('ECONNREFUSED');
    respond();
    expect(await reply).toBe(200);
    expect(await Promise.race([closed, sleep(1_000, 'too long')])).toBeUndefined();
  });

  test('closes connections after the drain timeout', async () => {
    const { reply, respond } = await underWay();
    const lost = expect(reply).rejects.toThrow('socket hang up');
    await gateway.close(20);
    await lost;
    respond();
  });

  test('does not wait for idle connections', async () => {
    const { reply, respond } = await underWay();
    respond();
    await reply;
    await sleep(10);
    expect(await Promise.race([gateway.close(5_000), sleep(1_000, 'too long')])).toBeUndefined();
  });
});
