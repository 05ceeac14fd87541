import { signal } from '@preact/signals';
import type { Exchange } from '../../shared/http/exchange.ts';
import { outcomeOf } from '../../shared/http/exchange-text.ts';

export interface HistoryEntry {
  readonly id: number;
  readonly exchange: Exchange;
  /** True if no user action caused the request. */
  readonly isBackground: boolean;
  /** True if the history does not keep the bodies, because they contain secrets. */
  readonly isRedacted: boolean;
}

export const maxEntries = 200;

/** The last exchanges, newest first. They exist only in memory, and contain no credentials. */
export const history = signal<readonly HistoryEntry[]>([]);

/** How many requests other than GET the user has sent. */
export const changeCount = signal(0);

let lastId = 0;

/** If the history is full, removes the oldest background request, or else the oldest entry. */
export function record(exchange: Exchange, isBackground: boolean): void {
  // The token endpoint receives client secrets and refresh tokens, and returns access tokens.
  const isRedacted = exchange.request.path.startsWith('/oauth2/');
  lastId += 1;
  if (!isBackground && exchange.request.method !== 'GET') changeCount.value += 1;
  const entry = {
    id: lastId,
    exchange: isRedacted ? withoutBodies(exchange) : exchange,
    isBackground,
    isRedacted,
  };
  const entries = [entry, ...history.value];
  if (entries.length > maxEntries) {
    const oldestRead = entries.findLastIndex((one) => one.isBackground);
    entries.splice(oldestRead, 1);
  }
  history.value = entries;
}

function withoutBodies({ request, response, ...times }: Exchange): Exchange {
  const { body: _, ...head } = request;
  return { request: head, ...(response && { response: { ...response, body: '' } }), ...times };
}

export function clearHistory(): void {
  history.value = [];
}

export interface HistoryFilter {
  /** Words, each of which must be in the method, the path or the status. */
  readonly text: string;
  readonly hidesBackground: boolean;
}

export function matching(
  entries: readonly HistoryEntry[],
  { text, hidesBackground }: HistoryFilter,
): HistoryEntry[] {
  const words = text.toLowerCase().split(/\s+/);
  return entries.filter(({ exchange, isBackground }) => {
    const { request } = exchange;
    const content = `${request.method} ${request.path} ${outcomeOf(exchange).text}`.toLowerCase();
    return !(hidesBackground && isBackground) && words.every((word) => content.includes(word));
  });
}
