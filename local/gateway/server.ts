import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  APIGatewayRequestAuthorizerEvent,
} from 'aws-lambda';
import { matches } from '../iam/wildcards.ts';
import { FunctionError, TooManyRequestsException } from '../lambda/errors.ts';
import { log } from '../platform/log.ts';
import { UserError } from '../platform/user-error.ts';
import { account, arn } from '../template/arns.ts';
import type { ApiAuthorizer, ApiModel, Match } from './api-model.ts';
import { compressed } from './compression.ts';
import {
  addedHeaders,
  defaultContentType,
  fixedMessages,
  type GatewayErrorType,
  gatewayErrors,
  headerTreatments,
  largestBodyBytes,
  largestEventBytes,
  methodOverride,
  signature,
} from './constants.ts';

export type Invoke = (functionArn: string, event: unknown) => Promise<unknown>;

/** How long API Gateway waits for an integration, in milliseconds. */
const integrationTimeout = 29_000;

interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** The ids of a request. */
interface RequestIds {
  readonly requestId: string;
  readonly extendedRequestId: string;
  readonly traceId: string;
}

/** A response that API Gateway generates itself: its type, and its status unless the template sets one. */
class GatewayFailure extends Error {
  readonly type: GatewayErrorType;
  readonly status: number;

  constructor(type: GatewayErrorType, status: number = gatewayErrors[type].status) {
    super(type);
    this.type = type;
    this.status = status;
  }
}

/**
 * API Gateway on this machine: it serves the API of the template as a REST API behind a domain name of its own, so
 * that no stage stands in the path.
 */
export class Gateway {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly allowed = new Map<
    string,
    { readonly result: APIGatewayAuthorizerResult; readonly until: number }
  >();
  /** The answers that each connection still waits for, in their order. */
  private readonly awaited = new WeakMap<Duplex, Set<ServerResponse>>();
  private names: readonly string[] = [];
  private api: ApiModel | undefined;
  private invoke: Invoke | undefined;
  private closing = false;

  constructor() {
    this.server = createServer((request, response) => {
      const awaited = this.awaitedOver(request.socket);
      awaited.add(response);
      response.once('close', () => awaited.delete(response));
      void this.handle(request, response);
    });
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    // Bytes that are not HTTP reach no function. Node's parser does not accept most custom methods either.
    this.server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      if (error.code !== 'ECONNRESET') void this.refuse(socket);
    });
    this.server.on('connect', (_, socket) => {
      // Node hands the connection over without its own listener: one that is reset would end this process.
      socket.on('error', () => {});
      void this.refuse(socket);
    });
  }

  /** Takes the port, so that it is clear at once whether it is free; until `serve` the answer is 503. */
  async listen(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
      this.server.listen(port, host, resolve);
    });
    const actual = (this.server.address() as AddressInfo).port;
    const name = isIPv6(host) ? `[${host}]` : host;
    this.names = [name, '127.0.0.1', 'localhost', '[::1]'].map((known) => known.toLowerCase());
    return `http://${name}:${actual}`;
  }

  serve(api: ApiModel, invoke: Invoke): void {
    this.api = api;
    this.invoke = invoke;
  }

  /** Takes no new requests, and ends when those under way are answered, or after `patience` milliseconds. */
  async close(patience: number): Promise<void> {
    this.closing = true;
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeIdleConnections();
    const timer = setTimeout(() => {
      for (const socket of this.sockets) socket.destroy();
    }, patience);
    await closed;
    clearTimeout(timer);
  }

  private awaitedOver(socket: Duplex): Set<ServerResponse> {
    const awaited = this.awaited.get(socket) ?? new Set();
    this.awaited.set(socket, awaited);
    return awaited;
  }

  /** Refuses what is no request, when what came before it on the same connection is answered. */
  private async refuse(socket: Duplex): Promise<void> {
    const before = [...this.awaitedOver(socket)].findLast(({ req }) => req.complete);
    if (before) await once(before, 'close');
    if (!socket.writable) return;
    const { status, headers, body } = this.failure(
      new GatewayFailure('MISSING_AUTHENTICATION_TOKEN', 400),
      newIds(),
    );
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.end(
      `HTTP/1.1 ${status} Bad Request\r\n${lines}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
  }

  /**
   * True if the request is for this service. A page of another site can have its own name lead here (DNS rebinding), but
   * it cannot have one of these names, or the address by which this machine was reached.
   */
  private isOwn({ headers, socket: { localAddress = '', localPort } }: IncomingMessage): boolean {
    const address = localAddress.replace(/^::ffff:/, '');
    const host = (headers.host ?? '').toLowerCase();
    return [...this.names, isIPv6(address) ? `[${address}]` : address].some(
      // Clients leave the port out where it is HTTP's own.
      (name) => host === `${name}:${localPort}` || (host === name && localPort === 80),
    );
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const ids = newIds(request.headersDistinct['x-amzn-requestid']?.at(-1));
    const answer = await this.answer(request, ids).catch((error) => {
      if (error instanceof GatewayFailure) return this.failure(error, ids);
      log(`The gateway failed: ${(error as Error).stack}`);
      return this.failure(new GatewayFailure('DEFAULT_5XX'), ids);
    });
    if (this.closing || !request.complete) response.setHeader('Connection', 'close');
    for (const [name, value] of answer.headers) response.appendHeader(name, value);
    // API Gateway sends the length of the body that it sends. Its response to HEAD has no body.
    const body = request.method === 'HEAD' ? Buffer.alloc(0) : answer.body;
    const bodiless = answer.status === 204 || answer.status === 304;
    if (!bodiless) response.setHeader('Content-Length', body.length);
    response.writeHead(answer.status);
    response.end(bodiless ? undefined : body);
    if (answer.status >= 500)
      log(`${request.method} ${request.url} ${answer.status} (request ${ids.extendedRequestId})`);
  }

  private async answer(request: IncomingMessage, ids: RequestIds): Promise<Answer> {
    const { api, invoke } = this;
    if (!api || !invoke) throw new GatewayFailure('INTEGRATION_FAILURE', 503);
    if ((request.headersDistinct.host ?? []).length > 1) throw new GatewayFailure('BAD_REQUEST_PARAMETERS');
    if (!this.isOwn(request)) throw new GatewayFailure('DEFAULT_4XX', 421);
    const body = await readBody(request);
    const [path = '', search = ''] = (request.url ?? '').split(/\?(.*)/s);
    if (!path.startsWith('/')) throw new GatewayFailure('BAD_REQUEST_PARAMETERS');
    const httpMethod = request.headersDistinct[methodOverride]?.at(-1) || (request.method ?? '');
    const match = api.match(httpMethod, segmentsOf(path));
    if (!match) throw new GatewayFailure('MISSING_AUTHENTICATION_TOKEN');
    const event = eventOf(request, { api, match, httpMethod, path, search, body, ids });
    const { authorizer, integration } = match.method;
    if (authorizer) event.requestContext.authorizer = await this.authorize(authorizer, event, invoke);
    if (isTooLarge(event)) throw new GatewayFailure('REQUEST_TOO_LARGE');
    if ('mock' in integration) return answerOf({ ...integration.mock, body: '' }, ids);
    const answer = answerOf(await integrate(invoke(integration.functionArn, event)), ids);
    return compressed(request, answer, api.minimumCompressionSize);
  }

  /** What the function learns of the caller. A cached Allow is good for all that its policy names. */
  private async authorize(
    { id, functionArn, identityHeader, cacheSeconds }: ApiAuthorizer,
    event: APIGatewayProxyEvent,
    invoke: Invoke,
  ): Promise<APIGatewayProxyEvent['requestContext']['authorizer']> {
    const identity = headerOf(event, identityHeader);
    if (!identity) throw new GatewayFailure('UNAUTHORIZED');
    const { stage, httpMethod, apiId } = event.requestContext;
    const methodArn = arn('execute-api', `${apiId}/${stage}/${httpMethod}${event.path}`);
    const key = JSON.stringify([id, identity]);
    const cached = this.allowed.get(key);
    if (cached && cached.until > Date.now()) return decide(cached.result, methodArn);
    const { body: _, isBase64Encoded: __, ...request } = event;
    const input = { type: 'REQUEST', methodArn, ...request } as APIGatewayRequestAuthorizerEvent;
    const output = await invoke(functionArn, input).catch((error: Error) => {
      if (error.message === 'Unauthorized') throw new GatewayFailure('UNAUTHORIZED');
      log(`The authorizer failed: ${error.message}`);
      throw new GatewayFailure('AUTHORIZER_CONFIGURATION_ERROR');
    });
    const result = authorizerResultOf(output);
    if (cacheSeconds > 0) this.allowed.set(key, { result, until: Date.now() + cacheSeconds * 1000 });
    return decide(result, methodArn);
  }

  private failure({ type, status }: GatewayFailure, ids: RequestIds): Answer {
    const added = [...addedTo(ids), [addedHeaders.gateway.errorType, gatewayErrors[type].errorType] as const];
    const responses = this.api?.gatewayResponses;
    const response = responses?.get(type) ?? responses?.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    if (!response || fixedMessages[type])
      return {
        status,
        headers: [...added, ['Content-Type', 'application/json']],
        body: Buffer.from(JSON.stringify({ message: fixedMessages[type] ?? 'Starting' })),
      };
    const headers = Object.entries(response.headers).map(([name, value]) => {
      const [, variable] = /^context\.(\w+)$/.exec(value) ?? [];
      return [name, variable ? contextValue(variable, ids) : value.replace(/^'|'$/g, '')] as const;
    });
    return {
      status: response.statusCode ?? status,
      headers: [...added, ...headers],
      body: Buffer.from(
        response.template.replace(/\$context\.(\w+)/g, (_, variable) => contextValue(variable, ids)),
      ),
    };
  }
}

/**
 * Returns the value of a variable of `$context` in a gateway response.
 *
 * @throws Error if this machine does not know the variable
 */
function contextValue(variable: string, { requestId, extendedRequestId }: RequestIds): string {
  if (variable === 'requestId') return requestId;
  if (variable === 'extendedRequestId') return extendedRequestId;
  throw new Error(`The local gateway does not support $context.${variable}.`);
}

/**
 * Returns new ids in the formats of API Gateway.
 *
 * @param chosenRequestId the `requestId` that the client chose: "Clients can override this request ID"
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
 *   $context variables}
 */
function newIds(chosenRequestId?: string): RequestIds {
  const seconds = Math.floor(Date.now() / 1000);
  return {
    requestId: chosenRequestId || randomUUID(),
    extendedRequestId: `${randomBytes(11).toString('base64url')}=`,
    traceId: `Root=1-${seconds.toString(16)}-${randomBytes(12).toString('hex')}`,
  };
}

/** Returns the header fields that API Gateway adds to each response. */
function addedTo({ requestId, extendedRequestId }: RequestIds): [string, string][] {
  return [
    [addedHeaders.always.requestId, requestId],
    [addedHeaders.always.extendedRequestId, extendedRequestId],
  ];
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new UserError(
      `Port ${port} of ${host} is in use. Set PORT to another one, or to 0 for any that is free.`,
    );
  return new UserError(`The service cannot listen on ${host}, port ${port}: ${error.message}.`);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > largestBodyBytes) throw new GatewayFailure('REQUEST_TOO_LARGE');
      chunks.push(chunk);
    }
  } catch (error) {
    // What is cut off is not well formed, whoever hears of it.
    throw error instanceof GatewayFailure ? error : new GatewayFailure('BAD_REQUEST_BODY');
  }
  return Buffer.concat(chunks);
}

function segmentsOf(path: string): string[] {
  try {
    return path
      .split('/')
      .slice(1, path.endsWith('/') ? -1 : undefined)
      .map(decodeURIComponent);
  } catch {
    throw new GatewayFailure('BAD_REQUEST_PARAMETERS');
  }
}

function eventOf(
  request: IncomingMessage,
  {
    api,
    match,
    httpMethod,
    path,
    search,
    body,
    ids,
  }: {
    api: ApiModel;
    match: Match;
    httpMethod: string;
    path: string;
    search: string;
    body: Buffer;
    ids: RequestIds;
  },
): APIGatewayProxyEvent {
  const { method, parameters } = match;
  const domainName = request.headers.host ?? '';
  const sourceIp = request.socket.remoteAddress ?? '';
  const own = [
    ['X-Amzn-Trace-Id', ids.traceId],
    ['X-Forwarded-For', sourceIp],
    ['X-Forwarded-Port', String(request.socket.localPort)],
    ['X-Forwarded-Proto', 'http'],
  ];
  // The client cannot choose the fields that API Gateway sets.
  const ownNames = new Set(own.map(([name = '']) => name.toLowerCase()));
  const headers = [
    ...pairsOf(request.rawHeaders).filter(
      ([name = '', value = '']) => !ownNames.has(name.toLowerCase()) && reachesFunction(name, value),
    ),
    ...own,
  ];
  const query = [...new URLSearchParams(search)];
  return {
    resource: method.resource,
    path,
    httpMethod,
    headers: Object.fromEntries(headers),
    multiValueHeaders: grouped(headers),
    queryStringParameters: query.length > 0 ? Object.fromEntries(query) : null,
    multiValueQueryStringParameters: query.length > 0 ? grouped(query) : null,
    pathParameters: Object.keys(parameters).length > 0 ? { ...parameters } : null,
    stageVariables: null,
    requestContext: {
      accountId: account,
      apiId: api.id,
      authorizer: undefined,
      domainName,
      domainPrefix: domainName.split('.')[0],
      extendedRequestId: ids.extendedRequestId,
      httpMethod,
      identity: {
        accessKey: null,
        accountId: null,
        apiKey: null,
        apiKeyId: null,
        caller: null,
        clientCert: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        principalOrgId: null,
        sourceIp,
        user: null,
        userAgent: request.headers['user-agent'] ?? null,
        userArn: null,
      },
      path,
      protocol: `HTTP/${request.httpVersion}`,
      requestId: ids.requestId,
      requestTime: commonLogTime(new Date()),
      requestTimeEpoch: Date.now(),
      resourceId: method.resourceId,
      resourcePath: method.resource,
      stage: api.stage,
    },
    body: body.length > 0 ? body.toString('utf8') : null,
    isBase64Encoded: false,
  };
}

/** Returns true if Lambda would refuse the event because of its size. */
function isTooLarge(event: APIGatewayProxyEvent): boolean {
  // Most bodies need no exact count: JSON needs at most six bytes for each byte of the body.
  if (6 * Buffer.byteLength(event.body ?? '') < largestEventBytes / 2) return false;
  return Buffer.byteLength(JSON.stringify(event)) > largestEventBytes;
}

/** Returns true if API Gateway passes a header field of the request to the function. */
function reachesFunction(name: string, value: string): boolean {
  const field = name.toLowerCase();
  if (field === methodOverride || (field === 'authorization' && signature.test(value))) return false;
  return headerTreatments[field]?.request !== 'drop';
}

/** As the Common Log Format has it: `21/Nov/2026:12:00:00 +0000`. */
function commonLogTime(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

function pairsOf(rawHeaders: readonly string[]): string[][] {
  return rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? '']] : []));
}

function grouped(pairs: readonly (readonly string[])[]): Record<string, string[]> {
  const groups: Record<string, string[]> = Object.create(null);
  for (const [name = '', value = ''] of pairs) groups[name] = [...(groups[name] ?? []), value];
  return groups;
}

function headerOf({ headers }: APIGatewayProxyEvent, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

/**
 * Checks what an authorizer returned.
 *
 * @returns the same value
 * @throws GatewayFailure AUTHORIZER_CONFIGURATION_ERROR if it is not a policy, or if its context has values other than
 *   strings, numbers and booleans
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 *   Output from an API Gateway Lambda authorizer}
 */
function authorizerResultOf(output: unknown): APIGatewayAuthorizerResult {
  const { policyDocument, context = {} } = objectOf(output);
  const { Statement } = objectOf(policyDocument);
  const isStatement = (statement: unknown) => {
    const { Effect, Action, Resource } = objectOf(statement);
    return (Effect === 'Allow' || Effect === 'Deny') && isTextOrTexts(Action) && isTextOrTexts(Resource);
  };
  const isPolicy = Array.isArray(Statement) && Statement.every(isStatement);
  const isContext =
    typeof context === 'object' &&
    Object.values(context ?? {}).every((value) => ['string', 'number', 'boolean'].includes(typeof value));
  if (isPolicy && isContext) return output as APIGatewayAuthorizerResult;
  log(`The authorizer returned an invalid ${isPolicy ? 'context' : 'policy'}: ${JSON.stringify(output)}`);
  throw new GatewayFailure('AUTHORIZER_CONFIGURATION_ERROR');
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isTextOrTexts(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

function decide(
  { principalId, policyDocument, context }: APIGatewayAuthorizerResult,
  methodArn: string,
): Record<string, unknown> {
  const applies = (effect: string) =>
    policyDocument.Statement.some(
      (statement) =>
        statement.Effect === effect &&
        'Resource' in statement &&
        [statement.Resource].flat().some((resource) => matches(String(resource), methodArn)),
    );
  if (applies('Deny') || !applies('Allow')) throw new GatewayFailure('ACCESS_DENIED');
  const texts = Object.entries(context ?? {}).map(([name, value]) => [name, String(value)]);
  return { ...Object.fromEntries(texts), principalId, integrationLatency: 0 };
}

async function integrate(invocation: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GatewayFailure('INTEGRATION_TIMEOUT')), integrationTimeout);
  });
  try {
    return await Promise.race([invocation, timeout]);
  } catch (error) {
    // API Gateway turns Lambda's 429 into INTEGRATION_FAILURE: https://stackoverflow.com/questions/36363280
    if (!(error instanceof FunctionError || error instanceof TooManyRequestsException)) throw error;
    log(
      error instanceof TooManyRequestsException
        ? `Lambda throttled the function: ${error.message}`
        : error.message,
    );
    throw error instanceof TooManyRequestsException
      ? new GatewayFailure('INTEGRATION_FAILURE')
      : new GatewayFailure('DEFAULT_5XX', 502);
  } finally {
    clearTimeout(timer);
  }
}

/** A function's answer, as API Gateway passes it on; one that has not the form it wants is a 502. */
function answerOf(result: unknown, ids: RequestIds): Answer {
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = (result ??
    {}) as APIGatewayProxyResult;
  const formed = Number.isInteger(statusCode) && statusCode >= 200 && statusCode <= 599;
  if (!formed || typeof (body ?? '') !== 'string') throw new GatewayFailure('DEFAULT_5XX', 502);
  const several = Object.entries(multiValueHeaders ?? {}).flatMap(([name, values]) =>
    (values ?? []).map((value) => [name, String(value)] as const),
  );
  const single = Object.entries(headers ?? {})
    .map(([name, value]) => [name, String(value)] as const)
    .filter(([name, value]) => !several.some((one) => one[0] === name && one[1] === value));
  const pairs = [...single, ...several].flatMap(([name, value]): [string, string][] => {
    const treatment = headerTreatments[name.toLowerCase()]?.response;
    if (treatment === 'drop') return [];
    return [[treatment === 'remap' ? `x-amzn-Remapped-${name}` : name, value]];
  });
  for (const [name, value] of pairs) refuseUnsendable(name, value);
  const typed = pairs.some(([name]) => name.toLowerCase() === 'content-type');
  return {
    status: statusCode,
    headers: [
      ...pairs,
      ...(typed ? [] : [['Content-Type', defaultContentType] as const]),
      ...addedTo(ids),
      [addedHeaders.integration.traceId, ids.traceId],
    ],
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}

function refuseUnsendable(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw new GatewayFailure('DEFAULT_5XX', 502);
  }
}
