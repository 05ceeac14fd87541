import type { GatewayResponse } from './api-model.ts';
import { type GatewayErrorType, gatewayErrors } from './constants.ts';
import type { HttpResponse } from './http-response.ts';
import { idHeaders, type RequestIds } from './request-ids.ts';

/** Ends a request with a response that the gateway itself generates. */
export class GatewayError extends Error {
  readonly type: GatewayErrorType;
  readonly status: number;
  /** The response's message, unless the template customizes the response. */
  readonly text: string | null;

  constructor(
    type: GatewayErrorType,
    status: number = gatewayErrors[type].status,
    text: string | null = gatewayErrors[type].message,
  ) {
    super(type);
    this.type = type;
    this.status = status;
    this.text = text;
  }
}

/**
 * Uses the template's gateway response for the error's type, or else for `DEFAULT_4XX` or `DEFAULT_5XX`, or else API Gateway's
 * own.
 *
 * @param responses by type. Undefined while the local cloud is starting
 * @throws Error if a gateway response uses an unsupported `$context` variable
 */
export function responseToError(
  { type, status, text }: GatewayError,
  responses: ReadonlyMap<string, GatewayResponse> | undefined,
  ids: RequestIds,
): HttpResponse {
  const added = [...idHeaders(ids), ['x-amzn-ErrorType', gatewayErrors[type].errorType] as const];
  const response = responses?.get(type) ?? responses?.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
  // A template cannot customize REQUEST_TOO_LARGE. Sources: notes, seen (see constants.ts).
  if (!response || type === 'REQUEST_TOO_LARGE')
    return {
      status,
      headers: [...added, ['Content-Type', 'application/json']],
      body: Buffer.from(JSON.stringify({ message: text })),
    };
  return {
    status: response.statusCode ?? status,
    headers: [...added, ...Object.entries(response.headers)],
    body: Buffer.from(
      response.template.replace(/\$context\.(\w+)/g, (_, variable) => contextValue(variable, ids)),
    ),
  };
}

function contextValue(variable: string, { requestId, extendedRequestId }: RequestIds): string {
  if (variable === 'requestId') return requestId;
  if (variable === 'extendedRequestId') return extendedRequestId;
  throw new Error(`The local gateway does not support $context.${variable}.`);
}
