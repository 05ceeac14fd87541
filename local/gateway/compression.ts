import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { deflate, gunzip, gzip, inflate } from 'node:zlib';
import Negotiator from 'negotiator';
import { largestBodyBytes } from './constants.ts';
import { GatewayError } from './gateway-errors.ts';
import type { HttpResponse } from './http-response.ts';

const codings = {
  deflate: { compress: promisify(deflate), decompress: promisify(inflate) },
  gzip: { compress: promisify(gzip), decompress: promisify(gunzip) },
};

/**
 * Compresses the response if API Gateway would: with the client's preferred coding, and not at all if API Gateway does not support
 * that one. `*` in Accept-Encoding does not count. All headers but Content-Encoding stay the same, including an ETag.
 *
 * @param minimumSize in bytes. Undefined if the API does not compress responses
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-enable-compression.html
 *   Enabling compression}
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
  const [coding = ''] = accepted.filter((name) => name !== '*');
  if (!isCoding(coding)) return response;
  return {
    ...response,
    headers: [...headers, ['Content-Encoding', coding]],
    body: await codings[coding].compress(body),
  };
}

/**
 * Decompresses a request's body. AWS documents contradictory rules for a body below the API's minimum size. Users report that
 * API Gateway decompresses it, and that the function still receives the header.
 *
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE for several codings, or if the body does not have the coding
 * @throws GatewayError REQUEST_TOO_LARGE if the decompressed body is larger than the limit
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-make-request-with-compressed-payload.html
 *   Requests with a compressed payload}
 * @see {@link https://github.com/dougmoscrop/serverless-http/issues/194 a report}
 */
export async function decompressed({ headersDistinct }: IncomingMessage, body: Buffer): Promise<Buffer> {
  const coding = (headersDistinct['content-encoding'] ?? []).join().trim().toLowerCase();
  if (body.length === 0 || coding === '' || coding === 'identity') return body;
  if (!isCoding(coding)) throw new GatewayError('UNSUPPORTED_MEDIA_TYPE');
  try {
    return await codings[coding].decompress(body, { maxOutputLength: largestBodyBytes });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new GatewayError(isTooLarge ? 'REQUEST_TOO_LARGE' : 'UNSUPPORTED_MEDIA_TYPE');
  }
}

function isCoding(name: string): name is keyof typeof codings {
  return Object.hasOwn(codings, name);
}
