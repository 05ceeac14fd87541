import type { Bark } from '../../../client/index.ts';
import { documentOf, type Exchange, headerOf } from '../../shared/http/exchange.ts';
import { statusTexts } from './bark-outcome.ts';

/** How long the service may wait for an asynchronous bark if the user chooses to wait. */
const waitSeconds = 10;

/** Makes the service wait. */
export const waitChoice = {
  value: `wait=${waitSeconds}`,
  label: `Wait up to ${waitSeconds} seconds for an asynchronous bark`,
  hint: `Prefer: wait=${waitSeconds}`,
};

/** Returns a text about a bark that failed or was cancelled while the service waited for it. */
export function failureOf(exchange: Exchange): string | undefined {
  if (!headerOf(exchange, 'content-location')) return undefined;
  const { status, reason } = documentOf<Bark>(exchange);
  return [statusTexts[status], reason].filter(Boolean).join(' ');
}
