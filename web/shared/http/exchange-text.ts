import { phrases } from '../../../lambdas/contract/status-text.ts';
import type { Exchange } from './exchange.ts';
import type { Request } from './requests.ts';

/** Returns a status with its reason phrase, which HTTP/2 does not send. */
export function statusLine(status: number): string {
  return `${status} ${phrases[status] ?? ''}`.trim();
}

/** Returns an exchange's result in a few words. A 202 leaves open whether the request succeeds, so it is neutral. */
export function outcomeOf({ response }: Exchange): { kind: 'bad' | 'good' | 'neutral'; text: string } {
  if (!response) return { kind: 'bad', text: 'no response' };
  const { status, followedTo } = response;
  return {
    kind: status === 202 ? 'neutral' : status < 400 ? 'good' : 'bad',
    // The page cannot read the status of a redirect, but the service redirects only with 303.
    text: followedTo === undefined ? statusLine(status) : `${statusLine(303)} → ${statusLine(status)}`,
  };
}

export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export function isSameRequest(one: Request, other: Request): boolean {
  return identityOf(one) === identityOf(other);
}

function identityOf({ method, path, headers, body }: Request): string {
  return JSON.stringify([method, path, Object.entries(headers).sort(), body]);
}
