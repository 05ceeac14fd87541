import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { deflate, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { HttpResponse } from './http-response.ts';

const codings = { deflate: promisify(deflate), gzip: promisify(gzip) };

/**
 * Compresses the response if API Gateway would. `*` in Accept-Encoding does not count. All headers but Content-Encoding stay the
 * same, including an ETag.
 *
 * @param minimumSize in bytes. Undefined if the API does not compress responses
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-receive-response-with-compressed-payload.html
 *   Responses with a compressed payload}
 */
export async function compressed(
  request: IncomingMessage,
  response: HttpResponse,
  minimumSize: number | undefined,
): Promise<HttpResponse> {
  const { body, headers } = response;
  if (minimumSize === undefined || body.length < Math.max(minimumSize, 1) || request.method === 'HEAD')
    return response;
  if (headers.some(([name]) => name.toLowerCase() === 'content-encoding')) return response;
  const accepted = new Negotiator(request).encodings().map((name) => name.toLowerCase());
  const coding = accepted.find(isCoding);
  if (coding === undefined || coding === 'identity') return response;
  return {
    ...response,
    headers: [...headers, ['Content-Encoding', coding]],
    body: await codings[coding](body),
  };
}

function isCoding(name: string): name is keyof typeof codings | 'identity' {
  return name === 'identity' || name in codings;
}
