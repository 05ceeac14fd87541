import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { FunctionError, TooManyRequestsException } from '../lambda/errors.ts';
import { log } from '../platform/log.ts';
import {
  addedHeaders,
  defaultContentType,
  droppedFromResponses,
  integrationTimeoutMs,
  remappedInResponses,
} from './constants.ts';
import { GatewayError } from './gateway-errors.ts';
import type { HttpResponse } from './http-response.ts';
import { idHeaders, type RequestIds } from './request-ids.ts';

/** Rejects if the function fails or is throttled. */
export type Invoke = (functionArn: string, event: unknown) => Promise<unknown>;

/** Throws a GatewayError if the function fails, takes too long or is throttled. */
export async function integrate(invocation: Promise<unknown>): Promise<unknown> {
  try {
    return await withTimeout(invocation, () => new GatewayError('INTEGRATION_TIMEOUT'));
  } catch (error) {
    if (error instanceof TooManyRequestsException) {
      log(`Lambda throttled the function: ${error.message}`);
      // API Gateway turns Lambda's 429 into INTEGRATION_FAILURE (https://stackoverflow.com/questions/36363280). Users see status
      // 500 if the response is not customized: https://repost.aws/questions/QUfI6bsdd0SOiPeyimzxSkfQ
      throw new GatewayError('INTEGRATION_FAILURE', 500);
    }
    if (!(error instanceof FunctionError)) throw error;
    throw new GatewayError('DEFAULT_5XX', 502);
  }
}

/** Rejects with the error from `errorOf` if the function takes longer than API Gateway's timeout. */
export async function withTimeout(invocation: Promise<unknown>, errorOf: () => Error): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(errorOf()), integrationTimeoutMs);
  });
  try {
    return await Promise.race([invocation, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Throws a GatewayError (502) if the format of the result is wrong. */
export function integrationResponse(result: unknown, ids: RequestIds): HttpResponse {
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = (result ??
    {}) as APIGatewayProxyResult;
  const hasStatus = Number.isInteger(statusCode) && statusCode >= 200 && statusCode <= 599;
  if (!hasStatus || typeof (body ?? '') !== 'string') throw new GatewayError('DEFAULT_5XX', 502);
  const fields = fieldsOf(headers, multiValueHeaders).flatMap(treated);
  for (const [name, value] of fields) checkField(name, value);
  const hasType = fields.some(([name]) => name.toLowerCase() === 'content-type');
  return {
    status: statusCode,
    headers: [
      ...fields,
      ...(hasType ? [] : [['Content-Type', defaultContentType] as const]),
      ...idHeaders(ids),
      [addedHeaders.traceId, ids.traceId],
    ],
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}

/** A field that both objects contain with the same value appears once. */
function fieldsOf(
  headers: APIGatewayProxyResult['headers'],
  multiValueHeaders: APIGatewayProxyResult['multiValueHeaders'],
): (readonly [string, string])[] {
  const multiple = Object.entries(multiValueHeaders ?? {}).flatMap(([name, values]) =>
    (values ?? []).map((value) => [name, String(value)] as const),
  );
  const single = Object.entries(headers ?? {})
    .map(([name, value]) => [name, String(value)] as const)
    .filter(([name, value]) => !multiple.some((one) => one[0] === name && one[1] === value));
  return [...single, ...multiple];
}

function treated([name, value]: readonly [string, string]): [string, string][] {
  const field = name.toLowerCase();
  if (droppedFromResponses.has(field)) return [];
  return [[remappedInResponses.has(field) ? `x-amzn-Remapped-${name}` : name, value]];
}

function checkField(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw new GatewayError('DEFAULT_5XX', 502);
  }
}
