import { type Exchange, statusLine } from '../../shared/http/exchange.ts';
import type { Request } from '../../shared/http/requests.ts';

interface ExchangePanelProps {
  /** The request that the page sends next. */
  readonly request: Request;
  /** The last exchange. */
  readonly exchange?: Exchange | undefined;
  /** True while the page waits for a response. */
  readonly isSending?: boolean;
}

/** Shows the next request of the form, and the last request with its status. */
export function ExchangePanel({ request, exchange, isSending = false }: ExchangePanelProps) {
  return (
    <div class="exchange" aria-busy={isSending || undefined}>
      <pre class="part">{textOf(request)}</pre>
      {exchange?.response && (
        <pre class="part">
          {textOf(exchange.request)}
          {`\n\n${statusLine(exchange.response)}`}
        </pre>
      )}
    </div>
  );
}

function textOf({ method, path, headers, body }: Request): string {
  const lines = [`${method} ${path}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return [lines.join('\n'), ...(body ? [body] : [])].join('\n\n');
}
