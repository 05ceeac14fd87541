import { type Exchange, statusLine } from '../../shared/http/exchange.ts';
import type { Request } from '../../shared/http/requests.ts';

interface P {
  readonly request: Request;
  readonly exchange?: Exchange | undefined;
  readonly isSending?: boolean;
}
export function ExchangePanel({ request, exchange }: P) {
  return (
    <pre class="exchange">
      {`${request.method} ${request.path}\n${Object.entries(request.headers)
        .map((h) => h.join(': '))
        .join('\n')}\n\n${request.body ?? ''}`}
      {exchange?.response && `\n\n${statusLine(exchange.response)}`}
    </pre>
  );
}
