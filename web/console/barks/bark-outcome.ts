import type { Bark } from '../../../client/index.ts';
import { documentOf, type Exchange, headerOf } from '../../shared/http/exchange.ts';
import { pathIn } from '../../shared/service.ts';
import { succeeded } from '../succeeded.ts';

export type BarkOutcome =
  | { readonly kind: 'accepted'; readonly path: string }
  | { readonly kind: 'barked'; readonly text: string; readonly id?: string };

/** Returns undefined if the request failed. */
export function barkOutcomeOf(exchange: Exchange): BarkOutcome | undefined {
  const { response } = exchange;
  if (!response || !succeeded(exchange)) return undefined;
  const location = headerOf(exchange, 'location');
  if (response.status === 202 && location) return { kind: 'accepted', path: pathIn(location) };
  if (response.followedTo !== undefined)
    return { kind: 'barked', text: 'The dog barked. The response redirects to the dog.' };
  const [, id] = /\/barks\/([^/]+)$/.exec(location ?? '') ?? [];
  if (location) return { kind: 'barked', text: 'The dog barked.', ...(id && { id }) };
  return { kind: 'barked', text: 'The dog barked. Its settings neither count nor record this bark.' };
}

/** The status is `unknown` if the page cannot read the bark. */
export type BarkState = Pick<Bark, 'reason' | 'timestamp'> & { readonly status: Bark['status'] | 'unknown' };

/** A redirect to the dog means that the bark is complete. */
export function stateOf(exchange: Exchange): BarkState {
  if (exchange.response?.followedTo === undefined) return documentOf<Bark>(exchange);
  return { timestamp: null, status: 'complete' };
}

export const statusTexts: Readonly<Record<BarkState['status'], string>> = {
  pending: 'The service has accepted the bark.',
  complete: 'The dog barked.',
  failed: 'The bark failed.',
  cancelled: 'The bark was cancelled and has no effect.',
  unknown: 'The page cannot read this bark.',
};
