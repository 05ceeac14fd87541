import type { IncomingMessage } from 'node:http';
import { largestBodyBytes } from './constants.ts';
import { GatewayError } from './gateway-errors.ts';

/**
 * Returns the error for a request that Node's parser rejects. Node accepts at most 16 KiB of headers, API Gateway 10,240 bytes.
 * AWS does not document the status for larger headers. Users report 431.
 *
 * @see {@link https://backbencher.dev/solved-431-status-code-with-request-header-fields-too-large a report}
 */
export function parserErrorOf({ code }: NodeJS.ErrnoException): GatewayError {
  if (code === 'HPE_HEADER_OVERFLOW') return new GatewayError('DEFAULT_4XX', 431);
  return new GatewayError('MISSING_AUTHENTICATION_TOKEN', 400);
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (length === undefined && coding === undefined) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > largestBodyBytes) throw new GatewayError('REQUEST_TOO_LARGE');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof GatewayError ? error : new GatewayError('BAD_REQUEST_BODY');
  }
  return Buffer.concat(chunks);
}

export interface Target {
  /** The host and the port, as the client sent them. Empty if an HTTP/1.0 request has no Host header. */
  readonly host: string;
  /** The path, percent-encoded as the client sent it. */
  readonly path: string;
  /** The query, without the question mark. */
  readonly search: string;
}

/**
 * Returns the target of a request. The request line contains a path or a URL. If it contains a URL, the host of that URL
 * takes precedence over the Host header. AWS does not document how API Gateway treats a URL, so this function follows RFC 9112.
 *
 * @throws GatewayError BAD_REQUEST_PARAMETERS if the request has several Host headers, or has none in HTTP/1.1
 * @throws GatewayError BAD_REQUEST_PARAMETERS if the target is neither a path nor a URL
 * @throws GatewayError DEFAULT_4XX with status 421 if the scheme of the URL is not `http`
 * @see {@link https://www.rfc-editor.org/rfc/rfc9112#section-3.2 RFC 9112 section 3.2}
 */
export function targetOf({ headersDistinct, httpVersion, url = '' }: IncomingMessage): Target {
  const { host: hosts = [] } = headersDistinct;
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion !== '1.0'))
    throw new GatewayError('BAD_REQUEST_PARAMETERS');
  const [, scheme, authority, pathOfUrl] = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)([^?]*)/i.exec(url) ?? [];
  if (scheme !== undefined && scheme.toLowerCase() !== 'http') throw new GatewayError('DEFAULT_4XX', 421);
  const [start = '', search = ''] = url.split(/\?(.*)/s);
  const path = authority === undefined ? start : pathOfUrl || '/';
  if (!path.startsWith('/')) throw new GatewayError('BAD_REQUEST_PARAMETERS');
  return { host: authority ?? hosts[0] ?? '', path, search };
}

/** Returns the decoded segments of a path. A slash at the end adds no segment. */
export function segmentsOf(path: string): string[] {
  try {
    return path
      .split('/')
      .slice(1, path.endsWith('/') ? -1 : undefined)
      .map(decodeURIComponent);
  } catch {
    throw new GatewayError('BAD_REQUEST_PARAMETERS');
  }
}
