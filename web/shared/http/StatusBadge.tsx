import type { Exchange } from './exchange.ts';
import { outcomeOf } from './exchange-text.ts';

/** Marks a failure with an icon too, because color alone is not enough. */
export function StatusBadge({ exchange }: { readonly exchange: Exchange }) {
  const { kind, text } = outcomeOf(exchange);
  return (
    <span class={`badge ${kind}`}>
      {kind === 'bad' && <span aria-hidden="true">✕ </span>}
      {text}
    </span>
  );
}
