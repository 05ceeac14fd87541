import type { IncomingMessage } from 'node:http';
import { largestBodyBytes } from './constants.ts';
import { GatewayError } from './gateway-errors.ts';

/**
 * Returns the response to bytes that Node's parser rejects: 431 if the request line and the headers are larger than 16 KiB,
 * otherwise 400.
 *
 * API Gateway accepts 10,240 bytes. Its status for more is not documented. Users report 431.
 *
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 *   Quotas of REST APIs}
 * @see {@link https://backbencher.dev/solved-431-status-code-with-request-header-fields-too-large a report}
 */
export function parserErrorOf({ code }: NodeJS.ErrnoException): GatewayError {
  if (code === 'HPE_HEADER_OVERFLOW') return new GatewayError('DEFAULT_4XX', 431);
  return new GatewayError('MISSING_AUTHENTICATION_TOKEN', 400);
}

/**
 * Checks that a request has one Host header. A request of HTTP/1.0 may have none.
 *
 * @throws GatewayError BAD_REQUEST_PARAMETERS if it has none or several
 * @see {@link https://www.rfc-editor.org/rfc/rfc9112#section-3.2 RFC 9112 section 3.2}
 */
export function checkHostCount({ headersDistinct: { host = [] }, httpVersion }: IncomingMessage): void {
  if (host.length > 1 || (host.length === 0 && httpVersion !== '1.0'))
    throw new GatewayError('BAD_REQUEST_PARAMETERS');
}

/**
 * Reads the body of a request.
 *
 * @throws GatewayError REQUEST_TOO_LARGE if the body is larger than API Gateway accepts
 * @throws GatewayError BAD_REQUEST_BODY if the body is incomplete
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
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

/**
 * Splits the target of a request into the path and the query.
 *
 * @throws GatewayError BAD_REQUEST_PARAMETERS if it is not a path
 */
export function splitTarget(target: string): { path: string; search: string } {
  const [path = '', search = ''] = target.split(/\?(.*)/s);
  if (!path.startsWith('/')) throw new GatewayError('BAD_REQUEST_PARAMETERS');
  return { path, search };
}

/**
 * Returns the decoded segments of a path. A slash at the end adds no segment.
 *
 * @throws GatewayError BAD_REQUEST_PARAMETERS if the percent-encoding is invalid
 */
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
