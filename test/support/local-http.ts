import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

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
  readonly body?: string | Buffer;
}

/** Sends a request as it is told, over a connection of its own; the path goes out as it stands. */
export function send(
  baseUrl: string,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<Reply> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, headers, agent: false }, (answer) => {
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
 * Sends bytes that are no request, perhaps, and gives what comes back until the connection is closed.
 *
 * @param halfClose whether this side says that it sends no more
 */
export function exchange(baseUrl: string, bytes: string, { halfClose = false } = {}): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      halfClose ? socket.end(bytes) : socket.write(bytes),
    );
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(answer));
  });
}
