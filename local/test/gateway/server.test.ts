import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { parserErrorOf } from '../../gateway/request-parsing.ts';
import { Gateway } from '../../gateway/server.ts';
import { FunctionError, TooManyRequestsException } from '../../lambda/errors.ts';
import { type Activity, onActivity } from '../../platform/activity.ts';
import { UserError } from '../../platform/user-error.ts';
import { account, arn } from '../../template/arns.ts';
import { exchange, type Reply, type RequestOptions, send } from '../../testing/raw-http.ts';
import { apiModelOf, functionArn } from '../support/local-api.ts';

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

const challenge = 'Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"';
const gatewayResponses = [
  gatewayResponse('UNAUTHORIZED', 401, { 'WWW-Authenticate': challenge }),
  gatewayResponse('ACCESS_DENIED', 403),
  gatewayResponse('MISSING_AUTHENTICATION_TOKEN', 400),
  gatewayResponse('BAD_REQUEST_PARAMETERS', 400),
  gatewayResponse('BAD_REQUEST_BODY', 400),
  gatewayResponse('UNSUPPORTED_MEDIA_TYPE', 415),
  gatewayResponse('AUTHORIZER_CONFIGURATION_ERROR', 503, { 'Retry-After': '1' }),
  gatewayResponse('AUTHORIZER_FAILURE', 503, { 'Retry-After': '1' }),
  gatewayResponse('INTEGRATION_FAILURE', 503, { 'Retry-After': '1' }),
  gatewayResponse('INTEGRATION_TIMEOUT', 504),
  gatewayResponse('DEFAULT_4XX', undefined),
  gatewayResponse('DEFAULT_5XX', undefined),
];
const responsesWithout = (type: string) =>
  gatewayResponses.filter(({ ResponseType }) => ResponseType !== type);

type Handler = (event: APIGatewayProxyEvent) => unknown;

interface Served {
  readonly responses?: readonly object[];
  readonly cacheSeconds?: number;
  readonly minimumCompressionSize?: number;
}

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
/** The format of `JKJaXmPLvHcESHA=`, which is the example in the AWS documentation. */
const extendedId = expect.stringMatching(/^[\w-]{15}=$/);
const traceId = expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/);
let now: number;
let gateway: Gateway;
let url: string;
let host: string;
let reports: Activity[];
let stopReports: () => void;
let invocations: { name: string; event: APIGatewayProxyEvent }[];
/** The function handlers, by name. All other functions return 200. */
let functions: Record<string, Handler>;

beforeEach(async () => {
  now = Date.UTC(2026, 10, 21, 12);
  gateway = new Gateway({ now: () => now });
  url = await gateway.listen('127.0.0.1', 0);
  ({ host } = new URL(url));
  reports = [];
  stopReports = onActivity((activity) => reports.push(activity));
  invocations = [];
  functions = {};
  serve();
});

afterEach(async () => {
  stopReports();
  mock.timers.reset();
  await gateway.close(0);
});

/** Returns the properties of a gateway response with a problem document. The default responses keep the error's status. */
function gatewayResponse(
  ResponseType: string,
  status: number | undefined,
  headers: Readonly<Record<string, string>> = {},
) {
  const title = status ? STATUS_CODES[status] : { DEFAULT_4XX: 'Request Refused' }[ResponseType];
  const instance = '#$context.extendedRequestId';
  const problem = { title: title ?? STATUS_CODES[500], status, detail: ResponseType, instance };
  const all = {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  };
  return {
    ResponseType,
    ...(status && { StatusCode: String(status) }),
    ResponseTemplates: { 'application/json': JSON.stringify(problem) },
    ResponseParameters: Object.fromEntries(
      Object.entries(all).map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`]),
    ),
  };
}

function serve({ responses = gatewayResponses, ...more }: Served = {}): void {
  const model = apiModelOf({ methods, gatewayResponses: responses, ...more });
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
const messages = () => reports.flatMap((one) => (one.type === 'message' ? one.text : []));

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

const stageArn = arn('execute-api', 'Stack-Api/test');

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

function eventOf(name: string): APIGatewayProxyEvent {
  const [only, ...others] = invocations.filter((invocation) => invocation.name === name);
  if (!only || others.length > 0) throw new Error(`${name} was not invoked once.`);
  return only.event;
}

/** The body of DEFAULT_4XX and of DEFAULT_5XX has no status. */
function expectProblem(reply: Reply, status: number): void {
  const title = [417, 421].includes(status) ? 'Request Refused' : STATUS_CODES[status === 502 ? 500 : status];
  expect(reply.status).toBe(status);
  expect(reply.headers).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-amz-apigw-id': extendedId,
  });
  expect(reply.headers).not.toHaveProperty('x-request-id');
  const instance = `#${reply.headers['x-amz-apigw-id']}`;
  expect({ status, ...JSON.parse(reply.body) }).toMatchObject({ instance, title, status });
}

/** Makes a function wait. Returns a promise of its invocation, and a function that makes it respond. */
function hold(name: string): { begun: Promise<void>; respond: () => void } {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<object>()];
  functions[name] = () => {
    begun.resolve();
    return end.promise;
  };
  return { begun: begun.promise, respond: () => end.resolve({ statusCode: 200 }) };
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

describe('The event of a request', () => {
  test('has all fields of an event of API Gateway', async () => {
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
        requestTime: '21/Nov/2026:12:00:00 +0000',
        requestTimeEpoch: now,
        resourceId: 'Stack-Resource:open/{id}',
        resourcePath: '/open/{id}',
        stage: 'test',
      },
      body: 'bow wow',
      isBase64Encoded: false,
    });
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
    parameters('/open/rex/', { id: 'rex' }),
    parameters('/open/r%C3%A9x', { id: 'réx' }),
    parameters('/open/a%2Fb', { id: 'a/b' }),
    parameters('/open/a+b', { id: 'a+b' }),
    parameters('/open/%2E%2E', { id: '..' }),
    parameters('/elsewhere/r%20x', { proxy: 'elsewhere/r x' }),
    ['/open?', {}, { path: '/open', ...none }],
    query('a', { a: [''] }),
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

  test.each([
    ...'Content-MD5 Max-Forwards Proxy-Authenticate Server TE WWW-Authenticate'
      .split(' ')
      .map((name): [string, string] => [name, 'mine']),
    ['Connection', 'close'],
    ['Content-Length', '0'],
    ['Expect', '100-continue'],
    ['Trailer', 'X-Word'],
    ['Transfer-Encoding', 'chunked'],
    ['upgrade', 'h2c'],
    ['Authorization', 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE'],
  ])('does not have the header %s', async (name, value) => {
    expect((await call('/open', { method: 'POST', headers: { [name]: value } })).status).toBe(200);
    const { headers, multiValueHeaders } = eventOf('Open');
    const names = Object.keys({ ...headers, ...multiValueHeaders }).map((one) => one.toLowerCase());
    expect(names).not.toContain(name.toLowerCase());
  });

  test('has the protocol http, even if the client sends another one', async () => {
    await call('/open', { headers: { 'x-FORWARDED-proto': ['https', 'gopher'] } });
    expect(eventOf('Open').multiValueHeaders).toMatchObject({ 'X-Forwarded-Proto': ['http'] });
    expect(eventOf('Open').headers).not.toHaveProperty('x-FORWARDED-proto');
  });
});

test('A request whose target is a URL has the host, the path and the query of the URL', async () => {
  const own = `LOCALHOST:${new URL(url).port}`;
  const target = `HTTP://${own}/open/r%C3%A9x?a=http://b/c?d`;
  expect((await call(target, { headers: { Host: 'evil.example' } })).status).toBe(200);
  const requestContext = expect.objectContaining({ domainName: own, path: '/open/r%C3%A9x' });
  expect(eventOf('OpenOne')).toMatchObject({
    path: '/open/r%C3%A9x',
    queryStringParameters: { a: 'http://b/c?d' },
    headers: { Host: own },
    requestContext,
  });
});

describe('A request with X-HTTP-Method-Override', () => {
  const override = (method: string) => ({ headers: { 'x-HTTP-method-override': method } });

  test.each([
    ['the authorizer and the function of that method', '/dogs/rex', 'PUT', ['Guard', 'PutDog'], 'PUT'],
    ['the function of its own method, if the header is empty', '/open', '', ['Open'], 'GET'],
  ])('reaches %s, without the header', async (_, path, method, names, expected) => {
    functions.Guard = () => allow(`${stageArn}/PUT/dogs/rex`);
    expect((await callAs('me', path, override(method))).status).toBe(200);
    expect(invoked()).toEqual(names);
    for (const { event } of invocations) {
      expect([event.httpMethod, event.requestContext.httpMethod]).toEqual([expected, expected]);
      expect(JSON.stringify(event).toLowerCase()).not.toContain('method-override');
    }
  });

  test.each(['PURGE', 'delete', 'DELETE, PUT'])('gets 400 if it names %s', async (method) => {
    expectProblem(await call('/open', override(method)), 400);
    expect(invocations).toEqual([]);
  });
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
    [
      'the type application/json even without a body',
      { statusCode: 205, body: '' },
      { status: 205, headers: { ...json, 'content-length': '0' }, body: '' },
    ],
    ...'Authorization Connection Content-Length Content-MD5 Date Max-Forwards Server User-Agent WWW-Authenticate'
      .split(' ')
      .map((name): [string, object, object] => [
        `${name} only as a remapped header`,
        { statusCode: 401, headers: { [name]: 'mine' }, body: 'x' },
        { headers: { [`x-amzn-remapped-${name.toLowerCase()}`]: 'mine' }, body: 'x' },
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

  test('has the IDs of the event, of which the client can choose the request ID, and no error type', async () => {
    const { headers } = await call('/open', { headers: { 'x-amzn-requestid': 'mine' } });
    const { requestContext, headers: fields } = eventOf('Open');
    expect(requestContext.requestId).toBe('mine');
    expect(headers).toMatchObject({
      'x-amzn-requestid': 'mine',
      'x-amz-apigw-id': requestContext.extendedRequestId,
      'x-amzn-trace-id': fields['X-Amzn-Trace-Id'],
    });
    expect(headers).not.toHaveProperty('x-amzn-errortype');
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['text', 'woof'],
    ['no status', { body: 'woof' }],
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

  const failed = expect.stringMatching(/^The gateway failed: Error: the secret reason\n/);
  const throttled = 'Lambda throttled the function: Rate Exceeded.';
  test.each<[number, string, Error, lines: string[], own: number]>([
    [502, 'the function fails', new FunctionError('Error', 'the secret reason'), [], 502],
    [500, 'the gateway fails', new Error('the secret reason'), [failed], 500],
    [503, 'Lambda throttles the function', new TooManyRequestsException(), [throttled], 500],
  ])('becomes %d, without the reason, if %s', async (status, _, error, lines, own) => {
    functions.Open = throws(error);
    const reply = await call('/open');
    expectProblem(reply, status);
    expect(reply.body).not.toContain('secret');
    expect(reply.headers['x-amzn-errortype']).toBe('InternalServerErrorException');
    expect(messages()).toEqual(lines);
    // The status that API Gateway itself gives the response.
    serve({ responses: responsesWithout('INTEGRATION_FAILURE') });
    expectProblem(await call('/open'), own);
  });

  test('becomes 504 if the function takes longer than the timeout of API Gateway', async () => {
    expectProblem(await replyAtTimeout('Open', () => call('/open')), 504);
  });

  test('is reported with its status, duration, user, function, location and problem', async () => {
    functions.Guard = allowAll;
    functions.ListDogs = () => ({
      statusCode: 404,
      headers: { 'Content-Type': 'application/problem+json', location: '/dogs/rex' },
      body: JSON.stringify({ detail: 'There is no dog "rex".' }),
    });
    const { headers } = await callAs('me', '/dogs?a=1');
    expect(reports).toEqual([
      {
        type: 'request',
        method: 'GET',
        path: '/dogs?a=1',
        status: 404,
        durationMs: expect.any(Number),
        requestId: headers['x-amz-apigw-id'],
        user: 'rex',
        functionName: functionArn('ListDogs'),
        location: '/dogs/rex',
        detail: 'There is no dog "rex".',
      },
    ]);
  });
});

/* https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-receive-response-with-compressed-payload.html */
describe('The compression of a response', () => {
  const text = 'dog '.repeat(25);
  const plain = { statusCode: 200, headers: { ETag: '"1"' }, body: text };
  const ofFunction = {
    ...plain,
    headers: { ...plain.headers, 'Content-Encoding': 'gzip' },
    body: gzipSync(text).toString('base64'),
    isBase64Encoded: true,
  };

  /** Returns the coding, the ETag and the text of a response. `fetch` decodes the response. */
  async function reply(accept: string, response: object = plain, method = 'GET') {
    functions.Open = () => response;
    const received = await fetch(`${url}/open`, { method, headers: { 'Accept-Encoding': accept } });
    const { headers } = received;
    return [headers.get('content-encoding'), headers.get('etag'), await received.text()];
  }

  test.each<[string, string | null]>([
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['deflate', 'deflate'],
    ['*, gzip', 'gzip'],
    ['', null],
    ['*', null],
    ['identity, gzip;q=0.5', null],
    ['br, gzip', null],
    ['br;q=0.5, gzip', 'gzip'],
    ['constructor', null],
  ])('to Accept-Encoding: %s is %s, and its ETag stays the same', async (accept, coding) => {
    serve({ minimumCompressionSize: 100 });
    expect(await reply(accept)).toEqual([coding, '"1"', text]);
  });

  test.each<[string, Served, object, string, string | null, string]>([
    ['shorter than the minimum', { minimumCompressionSize: 101 }, plain, 'GET', null, text],
    ['of an API without a minimum', {}, plain, 'GET', null, text],
    ['to HEAD', { minimumCompressionSize: 0 }, plain, 'HEAD', null, ''],
    ['without a body', { minimumCompressionSize: 0 }, { ...plain, body: '' }, 'GET', null, ''],
    ['that is compressed', { minimumCompressionSize: 0 }, ofFunction, 'GET', 'gzip', text],
  ])('is not changed for a response %s', async (_, served, response, method, coding, body) => {
    serve(served);
    expect(await reply('gzip', response, method)).toEqual([coding, '"1"', body]);
  });
});

/* https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-make-request-with-compressed-payload.html */
describe('The compression of a request', () => {
  const text = 'wau 🐕 '.repeat(20);
  const post = (coding: string | string[], body: Buffer) =>
    call('/open', { method: 'POST', headers: { 'Content-Encoding': coding }, body });
  const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024 + 1));

  test.each([
    ['gzip', gzipSync(text)],
    ['GZip', gzipSync(text)],
    ['gzip', Buffer.concat([gzipSync(text.slice(0, 50)), gzipSync(text.slice(50))])],
    ['deflate', deflateSync(text)],
    ['identity', Buffer.from(text)],
    ['', Buffer.from(text)],
  ])('%s is removed, and the function receives the header unchanged', async (coding, body) => {
    expect((await post(coding, body)).status).toBe(200);
    const { headers, body: received, isBase64Encoded } = eventOf('Open');
    expect([received, isBase64Encoded]).toEqual([text, false]);
    expect(headers['Content-Encoding']).toBe(coding);
  });

  test('is removed from a body in chunks', async () => {
    const headers = { 'Content-Encoding': 'gzip', 'Transfer-Encoding': 'chunked' };
    await call('/open', { method: 'POST', headers, body: gzipSync(text) });
    expect(eventOf('Open').body).toBe(text);
  });

  test('of an empty document is an empty body', async () => {
    await post('gzip', gzipSync(''));
    expect(eventOf('Open').body).toBeNull();
  });

  test.each<[number, string, string | string[], Buffer]>([
    [415, 'an unsupported coding', 'br', brotliCompressSync(text)],
    [415, 'the name of a prototype', 'constructor', Buffer.from(text)],
    [415, 'a body that is not compressed', 'gzip', Buffer.from(text)],
    [415, 'a body with another coding', 'deflate', gzipSync(text)],
    [415, 'deflate without the format of zlib', 'deflate', deflateRawSync(text)],
    [415, 'a truncated body', 'gzip', gzipSync(text).subarray(0, -1)],
    [415, 'several codings', 'deflate, gzip', gzipSync(deflateSync(text))],
    [415, 'several headers', ['gzip', 'gzip'], gzipSync(gzipSync(text))],
    [413, 'a body that becomes larger than 10 MB', 'gzip', bomb],
  ])('causes %d for %s, even without credentials', async (status, _, coding, body) => {
    const reply = await post(coding, body);
    if (status === 415) expectProblem(reply, 415);
    const name = status === 415 ? 'BadRequestException' : 'RequestTooLargeException';
    expect([reply.status, reply.headers['x-amzn-errortype']]).toEqual([status, name]);
    const guarded = { method: 'PUT', headers: { 'Content-Encoding': coding }, body };
    expect((await call('/dogs/rex', guarded)).status).toBe(status);
    expect(invocations).toEqual([]);
  });
});

test('The Date of a response is the time of the clock, and its message is "Starting" before serve is called', async () => {
  const other = new Gateway({ now: () => Date.UTC(2027, 0, 1) });
  const reply = await send(await other.listen('127.0.0.1', 0), '/open').finally(() => other.close(0));
  expect([reply.headers.date, reply.status]).toEqual(['Fri, 01 Jan 2027 00:00:00 GMT', 503]);
  expect(JSON.parse(reply.body)).toEqual({ message: 'Starting' });
});

describe('A response that API Gateway generates itself', () => {
  const get = (target: string, ...fields: string[]) =>
    textOf(`GET ${target} HTTP/1.1`, `Host: ${host}`, ...fields);
  const port = () => new URL(url).port;
  const forHost = (name: string) => textOf('GET /open HTTP/1.1', `Host: ${name.replace('<port>', port())}`);

  /** The tests of unusual requests over HTTP cover the other refused requests. */
  test.each<[status: number, what: string, request: () => string]>([
    [400, 'an invalid percent-encoding', () => get('/%')],
    [400, 'a target that is no path', () => get('http:/open')],
    [400, 'a URL without a Host header', () => textOf(`GET ${url}/open HTTP/1.1`)],
    [417, 'an unknown expectation', () => get('/open', 'Expect: woof')],
    [421, 'the prefix of a host', () => forHost('localhost.evil.example:<port>')],
    [421, 'another port', () => forHost('127.0.0.1:1')],
    [421, 'HTTP/1.0 without a Host header', () => 'GET /open HTTP/1.0\r\n\r\n'],
    [421, 'a URL with a user', () => get(`http://rex@${host}/open`)],
    [421, 'a URL with another scheme', () => get(`https://${host}/open`)],
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
    expect(invocations).toEqual([]);
  });

  test.each([
    [200, 'exactly 10,240', 0],
    [431, 'more than 10,240', 1],
  ])('has the status %d for header values of %s bytes', async (status, _, more) => {
    const lengthOfOthers = host.length + 'close'.length;
    const values = ['a'.repeat(10_000), 'b'.repeat(240 - lengthOfOthers + more)];
    const reply = await call('/open', { headers: { 'X-Word': values } });
    expect(reply.status).toBe(status);
    if (status === 431) expect(JSON.parse(reply.body).title).toBe('Request Refused');
  });

  test.each([
    ['Get /open HTTP/1.1', 'MISSING_AUTHENTICATION_TOKEN'],
    ['GET /open HTTP/1.1\r\nX-Word : woof', 'BAD_REQUEST_PARAMETERS'],
    ['GET /open HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2', 'BAD_REQUEST_PARAMETERS'],
  ])('has a detail that states why %j is not HTTP', async (start, detail) => {
    const { body } = await exchangeReply(textOf(start, `Host: ${host}`));
    expect(JSON.parse(body).detail).toBe(detail);
  });

  test('has the status 408 for headers that do not arrive in time', () => {
    expect(parserErrorOf(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })).status).toBe(408);
  });

  const other = apiModelOf({ methods: { 'GET /dogs': 'ListDogs', 'GET /open': '!Open' } });
  test.each<[status: number, message: string | null, path: string, user: string, result: Error | object]>([
    [401, 'Unauthorized', '/dogs', '', {}],
    [403, 'User is not authorized to access this resource', '/dogs', 'me', allow()],
    [403, 'Missing Authentication Token', '/cats', 'me', {}],
    [500, null, '/dogs', 'me', new Error('no authorizer')],
    [502, 'Internal server error', '/open', '', new FunctionError('Error', 'no dogs')],
  ])('has status %d and the message %j of API Gateway without a gateway response', async (...row) => {
    const [status, message, path, Authorization, result] = row;
    gateway.serve(other, async () => {
      if (result instanceof Error) throw result;
      return result;
    });
    const reply = await call(path, { headers: { Authorization } });
    expect(reply).toMatchObject({ status, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(reply.body)).toEqual({ message });
  });

  test('has status 413 for a body over 10 MB, and ignores the gateway responses of the template', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024 + 1, 'a');
    const mine = { StatusCode: '400', ResponseTemplates: { 'application/json': 'mine' } };
    serve({ responses: [{ ...mine, ResponseType: 'REQUEST_TOO_LARGE' }] });
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
    ['6 MB', 413, Buffer.alloc(6 * 1024 * 1024, 'a')],
    ['4 MB that JSON doubles', 413, Buffer.alloc(4 * 1024 * 1024, '"')],
    ['slightly less than 6 MB', 200, Buffer.alloc(6 * 1024 * 1024 - 4_000, 'a')],
  ])('limits the size of the event to that of Lambda: a body of %s gets %d', async (_, expected, body) => {
    const { status, headers } = await call('/open', { method: 'POST', body });
    const type = expected === 413 ? 'RequestTooLargeException' : undefined;
    expect([status, headers['x-amzn-errortype']]).toEqual([expected, type]);
    expect(invocations).toHaveLength(expected === 413 ? 0 : 1);
  });

  test('is not sent if the Host is the address of the connection or a name of this machine', async () => {
    const everywhere = new Gateway();
    const own = new URL(await everywhere.listen('0.0.0.0', 0)).port;
    everywhere.serve(apiModelOf({ methods, gatewayResponses }), async () => ({ statusCode: 200 }));
    const interfaces = Object.values(networkInterfaces()).flat();
    const { address = '' } = interfaces.findLast((one) => one?.family === 'IPv4') ?? {};
    const sendTo = (name: string) =>
      send(`http://${address}:${own}`, '/open', { headers: { Host: `${name}:${own}` } });
    const replies = await Promise.all([address, 'LocalHost', '[::1]', '203.0.113.7'].map(sendTo));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 421]);
    await everywhere.close(0);
  });

  test('has an extended request ID that the client cannot choose, no trace ID and no remapped headers', async () => {
    const chosen = 'c159c6be-ea56-4ee2-b8f1-ee0c8ba40e4d';
    const reply = await call('/dogs', { headers: { 'X-Amzn-RequestId': chosen } });
    expectProblem(reply, 401);
    expect(reply.headers).toMatchObject({
      'x-amzn-requestid': chosen,
      'x-amz-apigw-id': extendedId,
      'x-amzn-errortype': 'UnauthorizedException',
    });
    expect(reply.body).not.toContain(chosen);
    expect(reply.headers['www-authenticate']).toBe(challenge);
    for (const name of ['x-amzn-remapped-www-authenticate', 'x-amzn-trace-id'])
      expect(reply.headers).not.toHaveProperty(name);
  });
});

describe('The authorizer', () => {
  const guarded = () => invoked().filter((name) => name === 'Guard').length;

  beforeEach(() => {
    functions.Guard = allowAll;
  });

  test('receives the request without its body', async () => {
    await callAs('me', '/dogs/rex?a=1', { method: 'PUT', body: 'secret', headers: { 'X-Word': 'woof' } });
    const { body: _, isBase64Encoded: __, ...received } = eventOf('PutDog');
    expect(received.headers).toMatchObject({ Authorization: 'me', 'X-Word': 'woof' });
    const methodArn = `${stageArn}/PUT/dogs/rex`;
    expect(eventOf('Guard')).toEqual({ type: 'REQUEST', methodArn, ...received });
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
    ['null', null],
    ['no policy', { principalId: 'rex' }],
    ['a policy without statements', { principalId: 'rex', policyDocument: {} }],
    ['a statement that is not an object', policyOf('Allow')],
    ['a statement without a resource', policyOf({ ...statement, Resource: undefined })],
    ['a statement without an action', policyOf({ ...statement, Action: undefined })],
    ['a statement of another effect', policyOf({ ...statement, Effect: 'Maybe' })],
    ['a context with a list', { ...policyOf(statement), context: { roles: ['user'] } }],
    ['a context that is not an object', { ...policyOf(statement), context: 'rex' }],
  ];

  test.each<[string, Handler]>([
    ...errors.map((error): [string, Handler] => [`throws "${error.message}"`, throws(error)]),
    ...outputs.map(([what, output]): [string, Handler] => [`returns ${what}`, () => output]),
  ])('that %s is AUTHORIZER_CONFIGURATION_ERROR, and is invoked again', async (_, handler) => {
    functions.Guard = handler;
    expectProblem(await callAs('me', '/dogs'), 503);
    expect(invoked()).toEqual(['Guard']);
    serve({ responses: responsesWithout('AUTHORIZER_CONFIGURATION_ERROR') });
    const own = await callAs('me', '/dogs');
    expectProblem(own, 500);
    expect(own.headers['x-amzn-errortype']).toBe('AuthorizerConfigurationException');
    functions.Guard = allowAll;
    expect((await callAs('me', '/dogs')).status).toBe(200);
  });

  test('that takes longer than the timeout of API Gateway is AUTHORIZER_CONFIGURATION_ERROR', async () => {
    expectProblem(await replyAtTimeout('Guard', () => callAs('me', '/dogs')), 503);
  });

  test.each<[number, string, string[]]>([
    [200, 'the method', [`${stageArn}/GET/dogs/rex`]],
    [200, 'any method', [`${stageArn}/*/dogs/rex`]],
    [200, 'any dog', [`${stageArn}/GET/dogs/*`]],
    [200, 'a dog of three letters', [`${stageArn}/GET/dogs/???`]],
    [403, 'another method', [`${stageArn}/PUT/dogs/rex`]],
    [403, 'another path', [`${stageArn}/GET/dogs`]],
    [403, 'a longer path', [`${stageArn}/GET/dogs/rex/*`]],
    [403, 'a path with the same beginning', [`${stageArn}/GET/dogs.rex`]],
    [403, 'another stage', [arn('execute-api', 'Stack-Api/prod/*')]],
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

  /** Makes a request as each user. Returns how often the authorizer has been invoked so far. */
  const afterRequestsOf = async (...users: string[]) => {
    for (const user of users) await callAs(user, '/dogs');
    return guarded();
  };

  test('is invoked once per user while its result is cached, and for each user', async () => {
    await afterRequestsOf('me');
    await callAs('me', '/dogs/rex', { method: 'PUT' });
    now += 59_999;
    await callAs('me', '/dogs/rex');
    expect(guarded()).toBe(1);
    now += 1;
    expect(await afterRequestsOf('me')).toBe(2);
    expect(await afterRequestsOf('you', 'ME')).toBe(4);
  });

  test.each([
    ['first', ['foo', 'me']],
    ['last', ['me', 'foo']],
  ])(
    'is invoked for several identities, of which the %s has a cached result, and the other one gets none',
    async (_, Authorization) => {
      await afterRequestsOf('me');
      await call('/dogs', { headers: { Authorization } });
      expect(guarded()).toBe(2);
      expect(await afterRequestsOf('foo')).toBe(3);
    },
  );

  test('is invoked again after another API is served, and for each request if nothing is cached', async () => {
    await afterRequestsOf('me');
    serve();
    expect(await afterRequestsOf('me')).toBe(2);
    serve({ cacheSeconds: 0 });
    expect(await afterRequestsOf('me', 'me')).toBe(4);
  });

  test('refuses another route because of its cached policy', async () => {
    functions.Guard = (event) => allow((event as unknown as { methodArn: string }).methodArn);
    expect((await callAs('me', '/dogs')).status).toBe(200);
    expectProblem(await callAs('me', '/dogs/rex'), 403);
    expect(guarded()).toBe(1);
  });
});

describe('The gateway', () => {
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
      expect(messages()).toEqual([]);
    });

    test.each(['garbage\r\n\r\n', tunnel])('resets the connection after %j is refused', async (bytes) => {
      const client = connected();
      client.write(bytes);
      await once(client, 'data');
      client.resetAndDestroy();
      await once(client, 'close');
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
      await someTurns();
    });
  });

  test('throws a UserError if the host is not an address of this machine', async () => {
    const refused = new Gateway().listen('192.0.2.1', 0);
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(
      /^The service cannot listen on 192\.0\.2\.1, .*\. Set HOST to an address of this computer, such as 127\.0\.0\.1\.$/,
    );
  });
});

test.each([
  ['responds to GET, without a report', '/secret/page', {}, 200, true],
  ['leaves another method to the API', '/secret/page', { method: 'POST' }, 200, false],
  ['leaves another path to the API', '/secret/page/', {}, 200, false],
  ['leaves a query to the API', '/secret/page?a=1', {}, 200, false],
  ['leaves another host to the API', '/secret/page', { headers: { Host: 'evil.example' } }, 421, false],
])('Gateway.mount makes a handler that %s', async (_, path, options, status, isMounted) => {
  gateway.mount('/secret/page', (_request, response) => response.end('mounted'));
  const reply = await call(path, options);
  const expected = [status, isMounted, isMounted ? 0 : 1];
  expect([reply.status, reply.body === 'mounted', reports.length]).toEqual(expected);
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

test('Gateway.close closes connections after the drain timeout', async () => {
  const { begun, respond } = hold('Open');
  const lost = expect(call('/open')).rejects.toThrow('socket hang up');
  await begun;
  mock.timers.enable({ apis: ['setTimeout'] });
  const closed = gateway.close(5_000);
  mock.timers.tick(5_000);
  await closed;
  await lost;
  respond();
});
