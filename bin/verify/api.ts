import { once } from 'node:events';
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';

export interface Reply {
  /** The request, such as `GET /v1/dogs/rex/`. */
  readonly request: string;
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Sending {
  /** An array sends the field once for each value. `Authorization` replaces the user's credentials; undefined omits it. */
  readonly headers?: OutgoingHttpHeaders;
  /** An object is sent as JSON. */
  readonly body?: object | string;
}

const timeoutMs = 35_000; // API Gateway responds after 29 seconds at the latest

/** Shows responses as they arrive: it follows no redirect, decompresses nothing, and can repeat a header field. */
export class Api {
  private readonly baseUrl: string;
  private readonly publishedUrl: string;
  /** The names of all header fields that have arrived. */
  readonly fieldsSeen = new Set<string>();
  /** The credentials of the user. */
  readonly authorization: string;
  private readonly signal: AbortSignal;

  /**
   * @param baseUrl where the requests go
   * @param publishedUrl the base URL that responses contain
   */
  constructor(
    { baseUrl, publishedUrl = baseUrl }: { readonly baseUrl: string; readonly publishedUrl?: string },
    user: { readonly username: string; readonly password: string },
    signal: AbortSignal,
  ) {
    this.baseUrl = baseUrl;
    this.publishedUrl = publishedUrl;
    this.authorization = `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`;
    this.signal = signal;
  }

  /**
   * @param path below the base URL
   * @throws Error if there is no response
   */
  async send(method: string, path: string, { headers = {}, body }: Sending = {}): Promise<Reply> {
    const isJson = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body);
    const fields = Object.entries({
      Authorization: this.authorization,
      ...(isJson && { 'Content-Type': 'application/json' }),
      ...headers,
    }).filter(([, value]) => value !== undefined);
    const url = new URL(`${this.baseUrl}${path}`);
    const sent = (url.protocol === 'https:' ? requestByHttps : requestByHttp)(url, {
      method,
      headers: Object.fromEntries(fields),
      signal: AbortSignal.any([this.signal, AbortSignal.timeout(timeoutMs)]),
    });
    sent.end(isJson ? JSON.stringify(body) : body);
    try {
      const [response] = await once(sent, 'response');
      for (const field of Object.keys(response.headers)) this.fieldsSeen.add(field);
      const { statusCode: status, headers: received } = response;
      return { request: `${method} ${path}`, url, status, headers: received, body: await buffer(response) };
    } catch (error) {
      this.signal.throwIfAborted();
      throw new Error(`${method} ${path} got no response: ${(error as Error).message}`, { cause: error });
    }
  }

  /** Returns the path of the URL in `Location`, below the base URL. Undefined if the URL is not below it. */
  pathIn({ url, headers: { location = '' } }: Reply): string | undefined {
    if (!URL.canParse(location, url.href)) return undefined;
    const { href } = new URL(location, url);
    const base = [this.publishedUrl, this.baseUrl].find((one) => href.startsWith(`${one}/`));
    return base === undefined ? undefined : href.slice(base.length);
  }
}
