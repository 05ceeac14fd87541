import { base, pathIn } from '../service.ts';
import type { Exchange, ServiceResponse } from './exchange.ts';
import type { Request } from './requests.ts';

/**
 * The browser uses no cache, adds no credentials of its own, and asks the user for none.
 *
 * @param authorization the value of the Authorization header, if the request has one
 * @returns the exchange, without a response if the request fails
 */
export async function sendRequest(request: Request, authorization?: string): Promise<Exchange> {
  const { method, path, headers, body } = request;
  const startedAt = Date.now();
  const start = performance.now();
  const exchange = (response?: ServiceResponse): Exchange => ({
    request,
    ...(response && { response }),
    startedAt,
    durationMs: performance.now() - start,
  });
  try {
    const response = await fetch(base + path, {
      method,
      headers: { ...headers, ...(authorization !== undefined && { Authorization: authorization }) },
      body: body ?? null,
      credentials: 'omit',
      cache: 'no-store',
    });
    return exchange(await readResponse(response));
  } catch {
    return exchange();
  }
}

async function readResponse(response: Response): Promise<ServiceResponse> {
  return {
    status: response.status,
    headers: [...response.headers],
    body: await response.text(),
    ...(response.redirected && { followedTo: pathIn(response.url) }),
  };
}
