import { maxWaitSeconds } from '../contract/waiting.ts';
import type { Bark } from '../domain/barks/bark.ts';
import type { Response } from './endpoint.ts';
import { preferenceOf } from './prefer.ts';
import { barkResource, barkUrl } from './representations.ts';
import type { Request } from './request.ts';

/** 0 unless the client prefers to wait a whole number of seconds: https://www.rfc-editor.org/rfc/rfc7240#section-4.3 */
export function waitSeconds(request: Request): number {
  const value = preferenceOf(request, 'wait') ?? '';
  return /^\d+$/.test(value) ? Math.min(Number(value), maxWaitSeconds) : 0;
}

/** For an asynchronous bark that failed or was cancelled while the client waited. */
export function notPerformed(bark: Bark, baseUrl: string): Response {
  return {
    status: 200,
    headers: { 'Content-Location': barkUrl(baseUrl, bark) },
    body: barkResource(bark, baseUrl),
  };
}
