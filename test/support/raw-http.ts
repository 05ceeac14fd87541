import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectByTls } from 'node:tls';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer | undefined;
}

interface Sending {
  /** Whether this side says that it sends no more. */
  readonly halfClose?: boolean;
}

/** How long the other side may take to answer and to close, in milliseconds. */
const patience = 20_000;

/** Sends a request as it is told, over a connection of its own; the path goes out as it stands. */
export function send(
  baseUrl: string,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<Reply> {
  const request = baseUrl.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    request(baseUrl, { path, method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          rawHeaders: answer.rawHeaders,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    })
      .once('error', reject)
      .end(body);
  });
}

/**
 * Sends bytes that are no request, perhaps, over a connection of their own, and gives what comes back until it is closed.
 *
 * @throws Error if it stays open
 */
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
  // A server may close while it is being sent what it will not read: what it said before is its answer.
  socket.on('error', () => {});
  const closed = once(socket, 'close').then(() => true);
  socket.setNoDelay();
  const send = async () => {
    for (const piece of bytes) await new Promise((written) => socket.write(piece, written));
    if (halfClose) socket.end();
  };
  void send();
  const inTime = await Promise.race([closed, sleep(patience, false, { ref: false })]);
  socket.destroy();
  if (!inTime) throw new Error(`The connection stayed open, and ${Buffer.concat(chunks).length} bytes came.`);
  return Buffer.concat(chunks);
}
