import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A call of AWS as the network has it. */
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

/** What AWS answered a function, by what it was asked. */
export type Recording = Record<string, AwsResponse>;

/** What a call asks for: times, digests and names that are new each time are left out of it. */
export function keyOf({ method, path, headers, body }: AwsRequest): string {
  const steady = (text: string) =>
    text
      .replace(/[0-9A-HJKMNP-TV-Z]{20,26}|[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '#')
      .replace(/#[#:.TZ%A-F-]*/g, '#');
  return [method, steady(path), headers['x-amz-target'] ?? '', steady(body)].join(' ');
}

/** Stands where AWS is: `answer` says what is answered. */
export class AwsStandIn {
  readonly url: string;
  readonly close: () => void;

  private constructor(url: string, close: () => void) {
    this.url = url;
    this.close = close;
  }

  /** @param tls key and certificate, in PEM; without them it speaks plain HTTP */
  static async listen(
    answer: (request: AwsRequest) => Promise<AwsResponse> | AwsResponse,
    tls?: { readonly key: string; readonly cert: string },
  ): Promise<AwsStandIn> {
    const server = tls ? createTlsServer(tls) : createPlainServer();
    server.on('request', async (request, response) => {
      const { method = '', url: path = '', headers } = request;
      const body = (await buffer(request)).toString();
      const answered = await answer({ method, path, headers: headers as AwsRequest['headers'], body });
      response.writeHead(answered.status, answered.headers).end(answered.body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new AwsStandIn(`${tls ? 'https' : 'http'}://127.0.0.1:${port}`, () => {
      server.closeAllConnections();
      server.close();
    });
  }
}

/** Answers as AWS answered when it was recorded. @throws Error for what nobody asked then */
export function replay(recording: Recording, request: AwsRequest): AwsResponse {
  const answer = recording[keyOf(request)];
  if (!answer) throw new Error(`AWS was not asked this before: ${keyOf(request)}`);
  return answer;
}
