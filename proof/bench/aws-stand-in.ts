import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface AwsRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface AwsResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The responses to one function's AWS requests, by `keyOf(request)`. */
export type Recording = Record<string, AwsResponse>;

/** Returns a key that is the same in every run: it omits times, digests and generated names. */
export function keyOf({ method, path, headers, body }: AwsRequest): string {
  const steady = (text: string) =>
    text
      // Digests, and the keys in unsubscribe links.
      .replace(/(?<=")[\w-]{43}(?=")/g, '#')
      .replace(/[0-9A-HJKMNP-TV-Z]{20,26}|[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '#')
      .replace(/#[#:.TZ%A-F-]*/g, '#');
  return [method, steady(path), headers['x-amz-target'] ?? '', steady(body)].join(' ');
}

/**
 * Starts a local server that answers in place of AWS.
 *
 * @param tls key and certificate in PEM; without them, the server uses plain HTTP
 */
export async function standInForAws(
  respond: (request: AwsRequest) => Promise<AwsResponse> | AwsResponse,
  tls?: { readonly key: string; readonly cert: string },
): Promise<{ url: string; close: () => void }> {
  const server = tls ? createTlsServer(tls) : createPlainServer();
  server.on('request', async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const body = (await buffer(request)).toString();
    const reply = await respond({ method, path, headers: headers as AwsRequest['headers'], body });
    response.writeHead(reply.status, reply.headers).end(reply.body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, close };
}

/** @throws Error if the recording does not contain the request */
export function replay(recording: Recording, request: AwsRequest): AwsResponse {
  const response = recording[keyOf(request)];
  if (!response) throw new Error(`The recording contains no response to ${keyOf(request)}.`);
  return response;
}
