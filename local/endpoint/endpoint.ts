import { once } from 'node:events';
import {
  createServer,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';
import { mailFailure } from '../ses/failure.ts';
import { region } from '../template/template.ts';
import { type AwsResponse, jsonError } from './response.ts';

/** A call of AWS by a function, or by the operator. */
export interface AwsCall {
  /** Who calls, by the access key that signed the call: the name of a function, or `operator`. */
  readonly caller: string;
  /** The service, as signatures name it: `dynamodb`, `ses`, … */
  readonly service: string;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A part of AWS on this machine, or elsewhere. */
export type Emulator = (call: AwsCall) => Promise<AwsResponse>;

/** A page that this machine shows people, such as the inbox. */
export type Page = () => { readonly contentType: string; readonly body: string };

/**
 * The one place that every AWS call of a function passes. Since each function signs with a key of its own, this place
 * knows who is calling; it takes no call that is not signed with one of these keys.
 */
export class AwsEndpoint {
  private readonly server: Server;
  private readonly callers = new Map<string, string>();
  private readonly parts = new Map<string, Emulator>();
  private readonly pages = new Map<string, Page>();
  /** The connections that have carried a mail. */
  private readonly mailConnections = new WeakSet<Socket>();
  private errorFor: (call: AwsCall) => AwsResponse | undefined = () => undefined;

  constructor() {
    this.server = createServer((request, response) => {
      this.answer(request).then(
        (answer) => send(response, answer),
        (error: Error) => send(response, jsonError(503, 'ServiceUnavailable', error.message)),
      );
    });
  }

  /** Listens on this machine alone; on a free port if the one asked for is taken. */
  async listen(port: number): Promise<void> {
    const listen = async (wanted: number) => {
      this.server.listen(wanted, '127.0.0.1');
      await once(this.server, 'listening');
    };
    await listen(port).catch(() => listen(0));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Takes calls that are signed with this access key as this caller's. */
  admit(accessKeyId: string, caller: string): void {
    this.callers.set(accessKeyId, caller);
  }

  /** Has each call looked at before it reaches its part. @param refusalOf gives the answer to one that may not */
  guard(errorFor: (call: AwsCall) => AwsResponse | undefined): void {
    this.errorFor = errorFor;
  }

  mount(service: string, part: Emulator): void {
    this.parts.set(service, part);
  }

  show(path: string, page: Page): void {
    this.pages.set(path, page);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage): Promise<AwsResponse> {
    // A page of another site can have its own name lead here; it cannot have this one (DNS rebinding).
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? ''))
      return jsonError(421, 'MisdirectedRequest', 'This is not the host you asked for.');
    const { method = '', url = '', headers } = request;
    if ((method === 'GET' || method === 'HEAD') && headers.authorization === undefined) return this.page(url);
    return this.serve(request);
  }

  private page(url: string): AwsResponse {
    const page = this.pages.get(url);
    if (!page) return { status: 404, headers: pageHeaders, body: 'There is nothing here.\n' };
    const { contentType, body } = page();
    return { status: 200, headers: { ...pageHeaders, 'Content-Type': contentType }, body };
  }

  private async serve(request: IncomingMessage): Promise<AwsResponse> {
    const [, accessKeyId = '', service = ''] =
      /Credential=([^/]+)\/\d{8}\/[^/]+\/([^/]+)\/aws4_request/.exec(request.headers.authorization ?? '') ??
      [];
    const caller = this.callers.get(accessKeyId);
    const part = this.parts.get(service);
    if (caller === undefined)
      return jsonError(
        403,
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
      );
    if (!part) return jsonError(400, 'UnknownOperationException', `This machine has no part for ${service}.`);
    if (service === 'ses') this.resetReused(request.socket);
    const call: AwsCall = {
      caller,
      service,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: request.headers as Record<string, string>,
      body: await bytesOf(request),
    };
    return this.errorFor(call) ?? part(call).catch((error: Error) => unanswered(service, error));
  }

  /**
   * Resets a connection that is used for a second mail. While Lambda freezes a function between two invocations, AWS and
   * the network drop its idle connections. The function then gets ECONNRESET or EPIPE when it continues. The SDK repeats
   * other calls, but it must not repeat a mail, so a function must use a new connection for each mail.
   *
   * @see {@link https://docs.aws.amazon.com/lambda/latest/dg/best-practices.html Lambda: use a keep-alive directive}
   */
  private resetReused(socket: Socket): void {
    if (this.mailConnections.has(socket)) socket.resetAndDestroy();
    this.mailConnections.add(socket);
  }
}

/** The part did not answer, for whatever reason: told in the words of its service. */
function unanswered(service: string, { message }: Error): AwsResponse {
  if (service === 'ses') return mailFailure(503, 'ServiceUnavailable', message);
  return jsonError(503, 'ServiceUnavailable', message);
}

const pageHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  'X-Content-Type-Options': 'nosniff',
};

function send(response: ServerResponse, { status, headers, body }: AwsResponse): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

/**
 * A part that is a process of this machine and asks nobody for a signature.
 *
 * @param url may change from call to call, and throws while there is nobody to be asked
 */
export function forwardUnsigned(url: () => string): Emulator {
  return async (call) =>
    forward(call, new URL(call.path, url()), pick(call.headers, [...passed, 'authorization', 'x-amz-date']));
}

/** A part that the user has elsewhere: calls are signed anew, with the credentials of this process's environment. */
export function forwardSigned(url: string): Emulator {
  const credentials = {
    accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? 'local',
    secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? 'local',
    ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
  };
  return async (call) => {
    const { service, method, headers, body } = call;
    const target = new URL(call.path, url);
    const signer = new SignatureV4({
      service,
      region: process.env.AWS_REGION ?? region,
      credentials,
      sha256: Sha256,
    });
    const signed = await signer.sign({
      method,
      protocol: target.protocol,
      hostname: target.hostname,
      path: target.pathname,
      query: Object.fromEntries(target.searchParams),
      headers: { ...pick(headers, passed), host: target.host },
      body,
    });
    const { host: _, ...rest } = signed.headers;
    return forward(call, target, rest);
  };
}

/** The headers of a call that mean something to the service. */
const passed = ['content-type', 'x-amz-target'];
const answered = ['content-type', 'x-amz-crc32', 'x-amzn-requestid', 'x-amzn-errortype'];

const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };

function forward({ method, body }: AwsCall, url: URL, headers: Record<string, string>): Promise<AwsResponse> {
  return new Promise((resolve, reject) => {
    const { request, agent } =
      url.protocol === 'https:'
        ? { request: httpsRequest, agent: agents['https:'] }
        : { request: httpRequest, agent: agents['http:'] };
    request(url, { method, headers: { ...headers, 'Content-Length': body.length }, agent }, (answer) => {
      const { statusCode = 500 } = answer;
      const answeredHeaders = pick(answer.headers as Record<string, string>, answered);
      bytesOf(answer).then(
        (bytes) => resolve({ status: statusCode, headers: answeredHeaders, body: bytes }),
        reject,
      );
    })
      .once('error', reject)
      .end(body);
  });
}

/** All bytes of a message. It is not iterated, which would take several times as long. */
function bytesOf(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk) => chunks.push(chunk));
    message.once('end', () => resolve(Buffer.concat(chunks)));
    message.once('error', reject);
  });
}

function pick(headers: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}
