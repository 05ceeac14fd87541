import { parseJson } from '../platform/json.ts';

/** A response to a client of the API. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** Returns the `detail` of an RFC 9457 problem. Undefined if the response is not a problem, or the problem has no detail. */
export function problemDetailOf({ headers, body }: HttpResponse): string | undefined {
  const isProblem = headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && value.startsWith('application/problem+json'),
  );
  if (!isProblem) return undefined;
  const { detail } = (parseJson(body.toString('utf8')) ?? {}) as { detail?: unknown };
  return typeof detail === 'string' ? detail : undefined;
}
