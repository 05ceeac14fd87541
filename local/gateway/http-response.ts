import { parseJson } from '../platform/json.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** Returns the `detail` of an RFC 9457 problem, if any. */
export function problemDetailOf(response: HttpResponse): string | undefined {
  if (!fieldOf(response, 'content-type')?.startsWith('application/problem+json')) return undefined;
  const { detail } = (parseJson(response.body.toString('utf8')) ?? {}) as { detail?: unknown };
  return typeof detail === 'string' ? detail : undefined;
}

/** @param field in lower case */
export function fieldOf({ headers }: HttpResponse, field: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === field)?.[1];
}
