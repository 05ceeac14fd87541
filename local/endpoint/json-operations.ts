import { ServiceError } from '../platform/service-error.ts';
import type { Emulator } from './emulator.ts';
import { type AwsResponse, json, jsonError } from './response.ts';

/**
 * Creates an emulator of a service whose requests are JSON, with the name of the operation in `X-Amz-Target`.
 *
 * @param service the service's name in error messages
 */
export function jsonOperations(
  service: string,
  operations: Readonly<Record<string, (request: never) => object>>,
  contentType?: string,
): Emulator {
  return async ({ headers, body }) => {
    const name = headers['x-amz-target']?.split('.').at(-1) ?? '';
    const operation = operations[name];
    if (!operation)
      return jsonError(
        400,
        'UnknownOperationException',
        `The local cloud does not support the ${service} operation ${name}.`,
      );
    return withServiceErrors(() => json(operation(JSON.parse(body.toString('utf8')) as never), contentType));
  };
}

/** Converts a thrown ServiceError to its response. */
export function withServiceErrors(respond: () => AwsResponse): AwsResponse {
  try {
    return respond();
  } catch (error) {
    if (error instanceof ServiceError) return jsonError(error.status, error.name, error.message);
    throw error;
  }
}
