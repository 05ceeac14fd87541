import type { Exchange } from './exchange.ts';
import { outcomeOf } from './exchange-text.ts';

/** A failure has an icon, so that it differs in more than color. */
export function StatusBadge({ exchange }: { readonly exchange: Exchange }) {
  const { kind, text } = outcomeOf(exchange);
  return (
    <span class={`badge ${kind}`}>
      {kind === 'bad' && <span aria-hidden="true">✕ </span>}
      {text}
    </span>
  );
}
