import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Clock, systemClock } from '../platform/clock.ts';
import { isAboutFullDisk } from '../platform/disk-errors.ts';
import { WriteFailures } from '../platform/write-failures.ts';
import type { AwsCall, Emulator } from './emulator.ts';
import { type EventStream, sendEvents } from './event-stream.ts';
import { challengePattern, proofOf, proofPath } from './proof.ts';
import { type AwsResponse, errorResponse, jsonError } from './response.ts';
import { type AccessKey, isSigned, parseAuthorization } from './signature.ts';

/** A page for the browser, such as the inbox. */
export interface PageContent {
  readonly status?: number;
  readonly contentType: string;
  readonly body: string;
  /** The default allows no script. */
  readonly contentSecurityPolicy?: string;
}

export interface Redirect {
  readonly location: string;
}

interface PageRequest {
  readonly method: 'GET' | 'HEAD';
  /** The last segment of the path. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly accept: string | undefined;
}

/** Returns the response to a GET or HEAD request for a page. */
export type Page = (
  request: PageRequest,
) => PageContent | EventStream | Promise<PageContent | Redirect | EventStream>;

/** Handles a DELETE or POST request from a page. If it returns a string, that string is the body of the response. */
export type Action = (query: URLSearchParams) => unknown;

/**
 * The HTTP server that receives all AWS calls. Each caller signs with its own access key, so the endpoint knows the caller.
 * It refuses a call with an unknown access key, and a connection whose first call with a key has a wrong signature. The endpoint
 * also serves pages, such as the inbox.
 */
export class AwsEndpoint {
  /** A random secret, new at each start, with which the endpoint proves its identity. */
  readonly nonce = randomBytes(32).toString('base64url');
  private readonly server: Server;
  /** The callers by access key ID. */
  private readonly callers = new Map<string, { readonly caller: string; readonly key: AccessKey }>();
  private readonly emulators = new Map<string, Emulator>();
  private readonly pages = new Map<string, Page>();
  private readonly actions = new Map<string, Action>();
  /** The access key of the last call on each connection. Verifying every signature took a fifth of this thread's time. */
  private readonly provenKeys = new WeakMap<Socket, AccessKey>();
  /** The connections that have carried a call to SES. */
  private readonly mailConnections = new WeakSet<Socket>();
  private readonly writeFailures = new WriteFailures('The data of an emulator');
  private errorFor: (call: AwsCall) => AwsResponse | undefined = () => undefined;

  /**
   * @param clock supplies the `Date` of the responses. If it differed from the functions' clock, the SDK would assume that the
   *   functions' clock is wrong and repeat each call that fails
   */
  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.server = createServer((request, response) => {
      response.setHeader('Date', new Date(clock.now()).toUTCString());
      this.respond(request).then(
        (result) => ('subscribe' in result ? sendEvents(response, result) : send(response, result)),
        (error: Error) => send(response, jsonError(503, 'ServiceUnavailable', error.message)),
      );
    });
  }

  /** Listens on 127.0.0.1. Uses a free port if the requested port is in use. */
  async listen(port: number): Promise<void> {
    const listen = async (requested: number) => {
      this.server.listen(requested, '127.0.0.1');
      await once(this.server, 'listening');
    };
    await listen(port).catch(() => listen(0));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Accepts calls that are signed with the access key, and attributes them to the caller. */
  addCaller(key: AccessKey, caller: string): void {
    this.callers.set(key.accessKeyId, { caller, key });
  }

  /**
   * Sets the check that each call must pass before an emulator receives it. The check returns the response to a call that it
   * refuses.
   */
  guard(errorFor: (call: AwsCall) => AwsResponse | undefined): void {
    this.errorFor = errorFor;
  }

  /** Routes a service's calls to an emulator. `service` is the service's name in signatures, such as `dynamodb`. */
  mount(service: string, emulator: Emulator): void {
    this.emulators.set(service, emulator);
  }

  /**
   * Serves a page to unsigned GET and HEAD requests. The path must begin with an `unguessablePath`, because all users of the
   * machine can send requests to the endpoint. If the path ends in `/*`, the last segment of the requested path can be any name.
   */
  addPage(path: string, page: Page): string {
    this.pages.set(path, page);
    return `${this.url}${path}`;
  }

  /**
   * Calls `action` for each unsigned request with this method and path. Refuses browser requests that come from another site. The
   * path must begin with an `unguessablePath`.
   */
  addAction(method: 'DELETE' | 'POST', path: string, action: Action): void {
    this.actions.set(`${method} ${path}`, action);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async respond(request: IncomingMessage): Promise<AwsResponse | EventStream> {
    // Prevents DNS rebinding. Another site can make its own host name resolve to this address, but it cannot use these names.
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? ''))
      return jsonError(421, 'MisdirectedRequest', 'The Host header must be 127.0.0.1 or localhost.');
    const { method = '', url = '', headers } = request;
    if (headers.authorization !== undefined) return this.serve(request);
    if (method === 'GET' || method === 'HEAD')
      return url.startsWith(proofPath)
        ? this.proof(url.slice(proofPath.length))
        : this.page(method, url, headers.accept);
    const [path = '', query] = url.split('?', 2);
    const action = this.actions.get(`${method} ${path}`);
    return action ? perform(action, new URLSearchParams(query), headers) : this.serve(request);
  }

  private proof(challenge: string): AwsResponse {
    if (!challengePattern.test(challenge))
      return { status: 404, headers: pageHeaders, body: 'The challenge must be 43 base64url characters.\n' };
    return { status: 200, headers: pageHeaders, body: proofOf(this.nonce, challenge) };
  }

  private async page(
    method: 'GET' | 'HEAD',
    url: string,
    accept: string | undefined,
  ): Promise<AwsResponse | EventStream> {
    const [path = '', query] = url.split('?', 2);
    const [name = ''] = /[^/]*$/.exec(path) ?? [];
    const page = this.pages.get(path) ?? this.pages.get(`${path.slice(0, path.length - name.length)}*`);
    if (!page) return { status: 404, headers: pageHeaders, body: 'There is no page at this path.\n' };
    const response = await page({ method, name, query: new URLSearchParams(query), accept });
    if ('subscribe' in response)
      return method === 'GET' ? response : { status: 200, headers: pageHeaders, body: '' };
    if ('location' in response)
      return { status: 303, headers: { ...pageHeaders, Location: response.location }, body: '' };
    const { status = 200, contentType, body, contentSecurityPolicy } = response;
    return {
      status,
      headers: {
        ...pageHeaders,
        'Content-Type': contentType,
        ...(contentSecurityPolicy && { 'Content-Security-Policy': contentSecurityPolicy }),
      },
      body,
    };
  }

  private async serve(request: IncomingMessage): Promise<AwsResponse> {
    const authorization = parseAuthorization(request.headers.authorization);
    const known = authorization && this.callers.get(authorization.accessKeyId);
    if (!known)
      return jsonError(
        403,
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
      );
    const service = serviceOf(authorization.service, request.url);
    const emulator = this.emulators.get(service);
    if (!emulator)
      return jsonError(400, 'UnknownOperationException', `The local cloud does not emulate ${service}.`);
    const call: AwsCall = {
      caller: known.caller,
      service,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: request.headers as Record<string, string>,
      body: await bodyOf(request),
    };
    const { socket } = request;
    if (this.provenKeys.get(socket) !== known.key && !(await isSigned(known.key, authorization, call)))
      return errorResponse(
        service,
        403,
        'InvalidSignatureException',
        'The signature does not match. Check the secret access key and the signing method.',
      );
    this.provenKeys.set(socket, known.key);
    if (service === 'ses') this.resetReused(socket);
    return (
      this.errorFor(call) ??
      emulator(call).catch((error: Error) => {
        if (isAboutFullDisk(error)) this.writeFailures.report(error);
        return errorResponse(service, 503, 'ServiceUnavailable', error.message);
      })
    );
  }

  /**
   * Resets a connection that is used for a second call to SES. While a function is frozen between two invocations, AWS and the
   * network drop its idle connections. The function then gets ECONNRESET or EPIPE when it continues. The SDK repeats other calls,
   * but it must not send an email twice, so a function must use a new connection for each email.
   *
   * @see {@link https://docs.aws.amazon.com/lambda/latest/dg/best-practices.html Lambda: use a keep-alive directive}
   */
  private resetReused(socket: Socket): void {
    if (this.mailConnections.has(socket)) socket.resetAndDestroy();
    this.mailConnections.add(socket);
  }
}

/** Does the same as `buffer` from `node:stream/consumers`, which takes several times as long because it creates a `Blob`. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(request, 'end');
  return Buffer.concat(chunks);
}

/**
 * Returns the name of the service. For SES, it includes the version of the API, because both versions have the same name in
 * signatures.
 */
function serviceOf(signed: string, path = '/'): string {
  return signed === 'ses' && path.startsWith('/v2/') ? 'sesv2' : signed;
}

const pageHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

function perform(action: Action, query: URLSearchParams, headers: IncomingHttpHeaders): AwsResponse {
  if (!isFromSameOrigin(headers))
    return { status: 403, headers: pageHeaders, body: 'Another site may not change this.\n' };
  const text = action(query);
  return typeof text === 'string'
    ? { status: 200, headers: { ...pageHeaders, 'Content-Type': 'text/plain' }, body: text }
    : { status: 204, headers: pageHeaders, body: '' };
}

/** Returns true if the request comes from a page of this endpoint, or from a program that is not a browser. */
function isFromSameOrigin({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return (
    (origin === undefined || origin === `http://${host}`) && (site === undefined || site === 'same-origin')
  );
}

function send(response: ServerResponse, { status, headers, body }: AwsResponse): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
