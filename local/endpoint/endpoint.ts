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
import { log } from '../platform/log.ts';
import type { AwsCall, Emulator } from './emulator.ts';
import { type EventStream, sendEvents } from './event-stream.ts';
import { challengePattern, proofOf, proofPath } from './proof.ts';
import { type AwsResponse, errorResponse, jsonError } from './response.ts';

/** The `Authorization` header of a signed call, with the access key's ID and the service. */
const signed = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/[^/]+\/([^/]+)\/aws4_request\b/;

export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface PageContent {
  readonly status?: number;
  readonly contentType: string;
  readonly body: string;
  /** The default policy allows no scripts. */
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
  /** True if a browser loads the page before the user opens it. */
  readonly isPrefetch: boolean;
}

export type Page = (
  request: PageRequest,
) => PageContent | EventStream | Promise<PageContent | Redirect | EventStream>;

/** If an action returns a string, the response contains it. Otherwise, the response is 204. */
export type Action = (query: URLSearchParams) => unknown;

/**
 * Receives all AWS calls, and serves pages such as the inbox. Each caller has its own access key, whose random ID is the secret that
 * identifies the caller: calls reach this process without leaving the machine, so the endpoint does not verify their signatures.
 */
export class AwsEndpoint {
  /** See `proofOf`. */
  readonly nonce = randomBytes(32).toString('base64url');
  private readonly server: Server;
  /** By access key ID. */
  private readonly callers = new Map<string, string>();
  private readonly emulators = new Map<string, Emulator>();
  private readonly pages = new Map<string, Page>();
  private readonly actions = new Map<string, Action>();
  /** The connections that have carried a call to SES. */
  private readonly mailConnections = new WeakSet<Socket>();
  private errorFor: (call: AwsCall) => AwsResponse | undefined = () => undefined;

  /**
   * @param clock supplies the responses' `Date`. If that differed from the functions' clock, the SDK would assume that their clock
   *   is wrong and repeat each failed call
   */
  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.server = createServer((request, response) => {
      response.setHeader('Date', new Date(clock.now()).toUTCString());
      this.respond(request).then(
        (result) => ('subscribe' in result ? sendEvents(response, result) : send(response, result)),
        (error: Error) => send(response, jsonError(503, 'ServiceUnavailable', error.message)),
      );
    });
    // As in the gateway: clients must be the first to close an idle connection.
    this.server.keepAliveTimeout = 600_000;
  }

  /** Uses any free port if the requested one is unavailable. */
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

  /** Creates the caller's key if there is none yet. */
  accessKeyOf(caller: string): AccessKey {
    const [known] = [...this.callers].find(([, name]) => name === caller) ?? [];
    const accessKeyId = known ?? `LOCAL${randomBytes(16).toString('hex').toUpperCase()}`;
    this.callers.set(accessKeyId, caller);
    return { accessKeyId, secretAccessKey: 'local' };
  }

  /** Replaces the check that each call must pass. `errorFor` returns the response to a refused call, and otherwise undefined. */
  guard(errorFor: (call: AwsCall) => AwsResponse | undefined): void {
    this.errorFor = errorFor;
  }

  /** @param service as in `AwsCall` */
  mount(service: string, emulator: Emulator): void {
    this.emulators.set(service, emulator);
  }

  /**
   * Serves a page to unsigned requests, and returns its URL. The path must begin with an `unguessablePath`, because all users of
   * the machine can reach the endpoint. If the path ends in `/*`, the last segment can be any name.
   */
  addPage(path: string, page: Page): string {
    this.pages.set(path, page);
    return `${this.url}${path}`;
  }

  /**
   * Calls `action` for unsigned requests, but refuses those that a browser sends from another origin. The path must begin with an
   * `unguessablePath`.
   */
  addAction(method: 'DELETE' | 'POST', path: string, action: Action): void {
    this.actions.set(`${method} ${path}`, action);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async respond(request: IncomingMessage): Promise<AwsResponse | EventStream> {
    // Prevents DNS rebinding: a site can make its own host name resolve to this address, but requests still carry that name.
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? ''))
      return jsonError(421, 'MisdirectedRequest', 'The Host header must be 127.0.0.1 or localhost.');
    const { method = '', url = '', headers } = request;
    if (headers.authorization !== undefined) return this.serve(request);
    if (method === 'GET' || method === 'HEAD')
      return url.startsWith(proofPath)
        ? this.proof(url.slice(proofPath.length))
        : this.page(method, url, headers);
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
    headers: IncomingHttpHeaders,
  ): Promise<AwsResponse | EventStream> {
    const [path = '', query] = url.split('?', 2);
    const [name = ''] = /[^/]*$/.exec(path) ?? [];
    const page = this.pages.get(path) ?? this.pages.get(`${path.slice(0, path.length - name.length)}*`);
    if (!page) return { status: 404, headers: pageHeaders, body: 'There is no page at this path.\n' };
    const response = await page({
      ...{ method, name, query: new URLSearchParams(query) },
      accept: headers.accept,
      isPrefetch: isPrefetch(headers),
    });
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
    const [, accessKeyId = '', name = ''] = signed.exec(request.headers.authorization ?? '') ?? [];
    const caller = this.callers.get(accessKeyId);
    if (caller === undefined)
      return jsonError(
        403,
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
      );
    const service = serviceOf(name, request.url);
    const emulator = this.emulators.get(service);
    if (!emulator)
      return jsonError(400, 'UnknownOperationException', `The local cloud does not emulate ${service}.`);
    const call: AwsCall = {
      caller,
      service,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: request.headers as Record<string, string>,
      body: await bodyOf(request),
    };
    if (service === 'ses') this.resetReused(request.socket);
    return (
      this.errorFor(call) ??
      emulator(call).catch((error: Error) => {
        if (isAboutFullDisk(error))
          log(`${service} cannot store data: ${error.message}. Free some space on the disk of DATA_DIR.`);
        return errorResponse(service, 503, 'ServiceUnavailable', error.message);
      })
    );
  }

  /**
   * Resets a connection that is used for a second call to SES. In AWS, an idle connection can be dropped while a function is
   * frozen between two invocations. The next call then fails with ECONNRESET or EPIPE. The SDK repeats other calls, but must not
   * send an email twice, so a function needs a new connection for each email.
   *
   * @see {@link https://docs.aws.amazon.com/lambda/latest/dg/best-practices.html Lambda: use a keep-alive directive}
   */
  private resetReused(socket: Socket): void {
    if (this.mailConnections.has(socket)) socket.resetAndDestroy();
    this.mailConnections.add(socket);
  }
}

/** `buffer` from `node:stream/consumers` takes several times as long, because it creates a `Blob`. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(request, 'end');
  return Buffer.concat(chunks);
}

/** Both versions of the SES API have the same name in signatures. */
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

/** Programs other than browsers send neither header. */
function isFromSameOrigin({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return (
    (origin === undefined || origin === `http://${host}`) && (site === undefined || site === 'same-origin')
  );
}

/** `Sec-Purpose` is the standard: https://fetch.spec.whatwg.org/#sec-purpose-header. Older browsers send the other header fields. */
function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /\b(?:prefetch|prerender|preview|instant)\b/i.test(String(headers[name])),
  );
}

function send(response: ServerResponse, { status, headers, body }: AwsResponse): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
