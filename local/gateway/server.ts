import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { report } from '../platform/activity.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { InUseError, UserError } from '../platform/user-error.ts';
import type { ApiModel } from './api-model.ts';
import { compressed, decompressed } from './compression.ts';
import { methodOverride } from './constants.ts';
import { GatewayError, responseToError } from './gateway-errors.ts';
import { fieldOf, type HttpResponse, problemDetailOf } from './http-response.ts';
import { type Invoke, integrate, integrationResponse } from './integration.ts';
import { isTooLarge, proxyEventOf } from './proxy-event.ts';
import { RequestAuthorizer } from './request-authorizer.ts';
import { newIds, type RequestIds } from './request-ids.ts';
import { checkHeaderSize, parserErrorOf, readBody, segmentsOf, targetOf } from './request-parsing.ts';
import { networkUrlsOf, serverUrlOf, urlHostOf } from './urls.ts';

const maximumHoldMs = 10_000;

interface Exchange {
  readonly ids: RequestIds;
  /** Undefined if the request has not invoked a function. */
  functionName?: string;
  user?: string | undefined;
  /** In bytes. Undefined if the response is never compressed. */
  minimumCompressionSize?: number | undefined;
}

/** As with a custom domain name, paths do not begin with a stage. */
export class Gateway {
  private readonly server: Server;
  private readonly clock: Pick<Clock, 'now'>;
  private authorizer: RequestAuthorizer;
  /** The unfinished responses on each connection, in request order. */
  private readonly unfinished = new WeakMap<Duplex, Set<ServerResponse>>();
  /** In lower case. */
  private hostNames: readonly string[] = [];
  private api: ApiModel | undefined;
  private invoke: Invoke | undefined;
  private functionNameOf = (functionArn: string) => functionArn;
  /** Resolves when new requests can continue. Undefined if they need not wait. */
  private held: Promise<unknown> | undefined;
  /** By path. These paths are not part of the API. */
  private readonly handlers = new Map<string, RequestListener>();
  private closing = false;

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.clock = clock;
    this.authorizer = new RequestAuthorizer(clock);
    // Otherwise, Node itself would respond to a request without a Host header, and would send no body.
    this.server = createServer({ requireHostHeader: false });
    // Clients must be the first to close an idle connection: the server could close it while their next request is on the way.
    this.server.keepAliveTimeout = 600_000;
    this.server.on('request', (request, response) => this.receive(request, response));
    // AWS does not document the response to an unknown expectation, so this response follows RFC 9110, section 10.1.1.
    this.server.on('checkExpectation', (request, response) =>
      this.receive(request, response, new GatewayError('DEFAULT_4XX', 417)),
    );
    // Node's parser rejects malformed requests and most custom methods.
    this.server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      if (error.code !== 'ECONNRESET') void this.refuse(socket, parserErrorOf(error));
    });
    this.server.on('connect', (_, socket) => {
      // Node removes its own error listener from this connection. Without a listener, a reset would end this process.
      socket.on('error', () => {});
      void this.refuse(socket, new GatewayError('MISSING_AUTHENTICATION_TOKEN', 400));
    });
  }

  /**
   * Responds with 503 until `serve` is called.
   *
   * @param port 0 for any free port
   * @returns the API's URL, without a trailing slash
   * @throws InUseError if another program uses the port
   * @throws UserError if the server cannot listen on the host and port
   */
  async listen(host: string, port: number): Promise<string> {
    this.hostNames = [urlHostOf(host), '127.0.0.1', 'localhost', '[::1]'];
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
      this.server.listen(port, host, resolve);
    });
    return serverUrlOf(host, this.server.address() as AddressInfo);
  }

  /** The URLs at which other machines can reach the API. */
  get networkUrls(): string[] {
    return networkUrlsOf(this.server.address() as AddressInfo);
  }

  /** Replaces the API, and deletes the cached results of its authorizers. */
  serve(api: ApiModel, invoke: Invoke, functionNameOf = (functionArn: string) => functionArn): void {
    this.api = api;
    this.invoke = invoke;
    this.functionNameOf = functionNameOf;
    this.authorizer = new RequestAuthorizer(this.clock);
  }

  /**
   * Passes GET requests for a path to a handler instead of the API, if their Host is this server's own.
   *
   * @param path must begin with an `unguessablePath`
   */
  mount(path: string, handler: RequestListener): void {
    this.handlers.set(path, handler);
  }

  /** Delays new requests until a promise resolves, for at most `maximumHoldMs`. */
  hold(done: Promise<void>): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, maximumHoldMs);
    this.held = promise;
    void done.then(() => {
      clearTimeout(timer);
      resolve();
      if (this.held === promise) this.held = undefined;
    });
  }

  /** Waits for the responses in progress, and closes the remaining connections after `drainTimeoutMs`. */
  async close(drainTimeoutMs: number): Promise<void> {
    this.closing = true;
    const closed = new Promise((resolve) => this.server.close(resolve));
    const timer = setTimeout(() => this.server.closeAllConnections(), drainTimeoutMs);
    await closed;
    clearTimeout(timer);
  }

  private receive(request: IncomingMessage, response: ServerResponse, refusal?: GatewayError): void {
    const { method, url = '', headers, socket } = request;
    const unfinished = this.unfinishedOf(socket);
    unfinished.add(response);
    response.once('close', () => unfinished.delete(response));
    const isOwn = method === 'GET' && !refusal && this.isOwnHost(headers.host ?? '', socket);
    const handler = isOwn ? this.handlers.get(url) : undefined;
    if (handler) handler(request, response);
    else void this.handle(request, response, refusal);
  }

  private unfinishedOf(socket: Duplex): Set<ServerResponse> {
    const unfinished = this.unfinished.get(socket) ?? new Set();
    this.unfinished.set(socket, unfinished);
    return unfinished;
  }

  /** Sends an error after the responses to the connection's earlier requests, and ends the connection. */
  private async refuse(socket: Duplex, error: GatewayError): Promise<void> {
    const previous = [...this.unfinishedOf(socket)].findLast(({ req }) => req.complete);
    if (previous) await once(previous, 'close');
    if (!socket.writable) return;
    const { status, headers, body } = this.responseTo(error, newIds(this.clock.now()));
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
  }

  /**
   * Prevents DNS rebinding: a malicious site can make its host name resolve to this machine, but requests from its pages still
   * carry that host name.
   */
  private isOwnHost(requested: string, { localAddress = '', localPort }: Socket): boolean {
    const address = localAddress.replace(/^::ffff:/, '');
    const host = requested.toLowerCase();
    return [...this.hostNames, isIPv6(address) ? `[${address}]` : address].some(
      // Clients omit HTTP's default port.
      (name) => host === `${name}:${localPort}` || (host === name && localPort === 80),
    );
  }

  private async handle(
    request: IncomingMessage,
    response: ServerResponse,
    refusal: GatewayError | undefined,
  ): Promise<void> {
    const started = performance.now();
    const ids = newIds(this.clock.now(), request.headersDistinct['x-amzn-requestid']?.at(-1));
    const exchange: Exchange = { ids };
    const responding = refusal ? Promise.reject(refusal) : this.respond(request, exchange);
    const result = await responding.catch((error) => {
      if (error instanceof GatewayError) return this.responseTo(error, ids);
      log(`The gateway failed: ${(error as Error).stack}`);
      return this.responseTo(new GatewayError('DEFAULT_5XX'), ids);
    });
    response.setHeader('Date', new Date(this.clock.now()).toUTCString());
    if (this.closing || !request.complete) response.setHeader('Connection', 'close');
    send(request, response, await compressed(request, result, exchange.minimumCompressionSize));
    report({
      type: 'request',
      method: request.method ?? '',
      path: request.url ?? '',
      status: result.status,
      durationMs: performance.now() - started,
      requestId: ids.extendedRequestId,
      functionName: exchange.functionName,
      user: exchange.user,
      location: fieldOf(result, 'location'),
      detail: problemDetailOf(result),
    });
  }

  private async respond(request: IncomingMessage, exchange: Exchange): Promise<HttpResponse> {
    await this.held;
    const { ids } = exchange;
    const { api, invoke } = this;
    if (!api || !invoke) throw new GatewayError('INTEGRATION_FAILURE', 503, 'Starting');
    checkHeaderSize(request);
    const target = targetOf(request);
    if (!this.isOwnHost(target.host, request.socket)) throw new GatewayError('DEFAULT_4XX', 421);
    const body = await decompressed(request, await readBody(request));
    const httpMethod = request.headersDistinct[methodOverride]?.at(-1) || (request.method ?? '');
    const match = api.match(httpMethod, segmentsOf(target.path));
    if (!match) throw new GatewayError('MISSING_AUTHENTICATION_TOKEN');
    const event = proxyEventOf(request, {
      api,
      match,
      httpMethod,
      target,
      body,
      ids,
      time: this.clock.now(),
    });
    const { authorizer, integration } = match.method;
    if (authorizer) {
      const context = await this.authorizer.authorize(authorizer, event, invoke);
      event.requestContext.authorizer = context;
      exchange.user = context?.principalId;
    }
    if (isTooLarge(event)) throw new GatewayError('REQUEST_TOO_LARGE');
    if ('mock' in integration) return integrationResponse({ ...integration.mock, body: '' }, ids);
    exchange.functionName = this.functionNameOf(integration.functionArn);
    const result = await integrate(invoke(integration.functionArn, event));
    exchange.minimumCompressionSize = api.minimumCompressionSize;
    return integrationResponse(result, ids);
  }

  private responseTo(error: GatewayError, ids: RequestIds): HttpResponse {
    return responseToError(error, this.api?.gatewayResponses, ids);
  }
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: HttpResponse) {
  for (const [name, value] of headers) response.appendHeader(name, value);
  // Like API Gateway, sets Content-Length to the length of the body that is sent, which is 0 for HEAD.
  const sent = request.method === 'HEAD' ? Buffer.alloc(0) : body;
  const isBodiless = status === 204 || status === 304;
  if (!isBodiless) response.setHeader('Content-Length', sent.length);
  response.writeHead(status);
  response.end(isBodiless ? undefined : sent);
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new InUseError(
      `Port ${port} on ${host} is already in use. Set PORT to another port, or to 0 for any free port.`,
      'port',
    );
  const remedy =
    error.code === 'EACCES'
      ? 'Set PORT to a number above 1023.'
      : 'Set HOST to an address of this computer, such as 127.0.0.1.';
  return new UserError(`The service cannot listen on ${host}, port ${port}: ${error.message}. ${remedy}`);
}
