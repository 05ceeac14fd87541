import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectByTls } from 'node:tls';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The names and values of the header fields in alternation, as they were sent. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer | undefined;
}

interface Sending {
  readonly halfClose?: boolean;
}

/** The time that the server has to respond and to close the connection. */
const closeTimeoutMs = 20_000;

/** Sends a request over a new connection, without normalizing the path. */
export function send(
  baseUrl: string,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<Reply> {
  const request = baseUrl.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    request(baseUrl, { path, method, headers, agent: false }, (message) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk) => chunks.push(chunk));
      message.once('error', reject);
      message.once('end', () =>
        resolve({
          status: message.statusCode ?? 0,
          headers: message.headers,
          rawHeaders: message.rawHeaders,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    })
      .once('error', reject)
      .end(body);
  });
}

/** Sends bytes, which need not be a valid request, and returns the bytes that arrive until the connection closes. */
export async function exchange(
  baseUrl: string,
  bytes: readonly Buffer[],
  { halfClose = false }: Sending = {},
): Promise<Buffer> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const socket =
    protocol === 'https:'
      ? connectByTls({ host: hostname, port: Number(port || 443), servername: hostname })
      : connect({ host: hostname, port: Number(port || 80) });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server can close the connection before it has read everything. Its response is then the bytes that have arrived so far.
  socket.on('error', () => {});
  const closed = once(socket, 'close').then(() => true);
  socket.setNoDelay();
  const send = async () => {
    for (const piece of bytes) await new Promise((written) => socket.write(piece, written));
    if (halfClose) socket.end();
  };
  void send();
  const inTime = await Promise.race([closed, sleep(closeTimeoutMs, false, { ref: false })]);
  socket.destroy();
  if (!inTime) throw new Error(`The connection stayed open after ${Buffer.concat(chunks).length} bytes.`);
  return Buffer.concat(chunks);
}
