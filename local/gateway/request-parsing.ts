import type { IncomingMessage } from 'node:http';
import { largestBodyBytes, largestHeaderBytes } from './constants.ts';
import { GatewayError } from './gateway-errors.ts';

/** Returns the error for a request that Node's parser rejects, or that takes longer than a minute to send its headers. */
export function parserErrorOf({ code }: NodeJS.ErrnoException): GatewayError {
  if (code === 'HPE_HEADER_OVERFLOW') return new GatewayError('DEFAULT_4XX', 431);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new GatewayError('DEFAULT_4XX', 408);
  if (code === 'HPE_INVALID_METHOD') return new GatewayError('MISSING_AUTHENTICATION_TOKEN', 400);
  return new GatewayError('BAD_REQUEST_PARAMETERS');
}

/**
 * @throws GatewayError if the header values together are larger than API Gateway's limit. AWS does not document the response; users
 *   report the status 431
 * @see {@link https://backbencher.dev/solved-431-status-code-with-request-header-fields-too-large a report}
 */
export function checkHeaderSize({ rawHeaders }: IncomingMessage): void {
  // Node decodes each byte of a header as one character.
  const bytes = rawHeaders.reduce((sum, text, i) => (i % 2 === 1 ? sum + text.length : sum), 0);
  if (bytes > largestHeaderBytes) throw new GatewayError('DEFAULT_4XX', 431);
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
  /** With the port, as the client sent it. Empty if an HTTP/1.0 request has no Host header. */
  readonly host: string;
  /** Percent-encoded, as the client sent it. */
  readonly path: string;
  /** Without the question mark. */
  readonly search: string;
}

/**
 * If the request line contains a URL, the URL's host takes precedence over the Host header. AWS does not document how API Gateway
 * treats a URL, so this function follows RFC 9112.
 *
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

/** A slash at the end adds no segment. */
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
