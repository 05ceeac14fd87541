import type { IncomingMessage } from 'node:http';
import { largestBodyBytes } from './constants.ts';
import { GatewayError } from './gateway-errors.ts';

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
