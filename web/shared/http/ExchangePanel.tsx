import { useEffect, useState } from 'preact/hooks';
import { wideWindow } from '../ui/wide-window.ts';
import { Code } from './Code.tsx';
import { type Exchange, noResponse } from './exchange.ts';
import { indented, isSameRequest, outcomeOf, statusLine } from './exchange-text.ts';
import { Message } from './Message.tsx';
import { RequestView } from './RequestView.tsx';
import type { Request } from './requests.ts';
import { StatusBadge } from './StatusBadge.tsx';

interface ExchangePanelProps {
  /** The request that the page sends next. */
  readonly request: Request;
  readonly exchange?: Exchange | undefined;
  readonly isSending?: boolean;
  readonly replay?: (() => void) | undefined;
  /** Whether a panel starts open. By default, it does if the window is wide or the panel shows an exchange. */
  readonly open?: boolean | undefined;
}

/** Shows the last exchange and, above it, the next request if that differs from the last one. */
export function ExchangePanel({ request, exchange, isSending = false, replay, open }: ExchangePanelProps) {
  const isNew = exchange === undefined || !isSameRequest(request, exchange.request);
  return (
    <div class="exchanges">
      {isNew && (
        <Panel
          key="next"
          title={exchange && 'Next request'}
          request={request}
          isSending={isSending}
          isOpen={open ?? wideWindow.matches}
        />
      )}
      {exchange && (
        <Panel
          key="last"
          title={isNew ? 'Last request' : undefined}
          request={exchange.request}
          exchange={exchange}
          isSending={isSending && !isNew}
          isOpen={open ?? true}
          replay={replay}
        />
      )}
    </div>
  );
}

interface PanelProps {
  readonly title?: string | undefined;
  readonly request: Request;
  readonly exchange?: Exchange;
  readonly isSending: boolean;
  readonly isOpen: boolean;
  readonly replay?: (() => void) | undefined;
}

function Panel({ title, request, exchange, isSending, isOpen, replay }: PanelProps) {
  const [isShown, setShown] = useState(isOpen);
  // A new response reopens a panel that the user has closed.
  useEffect(() => setShown(isOpen), [exchange, isOpen]);
  return (
    <details class="exchange" open={isShown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>
        {title && <span class="title">{title}</span>}
        <span class="method">{request.method}</span>{' '}
        <code>
          <Code text={request.path} />
        </code>{' '}
        <Status exchange={exchange} isSending={isSending} />
      </summary>
      <RequestView request={request} replay={exchange && replay} isSending={isSending} />
      {exchange && <ResponseView exchange={exchange} isOutdated={isSending} />}
    </details>
  );
}

function Status({ exchange, isSending }: { exchange: Exchange | undefined; isSending: boolean }) {
  if (isSending)
    return (
      <span class="badge" aria-busy="true">
        in flight …
      </span>
    );
  if (!exchange) return <span class="badge">not sent yet</span>;
  return (
    <>
      <StatusBadge exchange={exchange} /> <small class="duration">{Math.round(exchange.durationMs)} ms</small>
    </>
  );
}

/** @param isOutdated true while the page waits for a newer response */
function ResponseView({ exchange, isOutdated }: { exchange: Exchange; isOutdated: boolean }) {
  const { response } = exchange;
  const { kind } = outcomeOf(exchange);
  if (!response)
    return (
      <div class="part bad">
        <p>
          <span aria-hidden="true">✕ </span>
          {noResponse}
        </p>
      </div>
    );
  const { status, headers, body, followedTo } = response;
  return (
    <div class={`part response ${kind}`} aria-busy={isOutdated || undefined}>
      {followedTo !== undefined && (
        <p class="redirect">
          The browser followed a redirect, which this page cannot see. The curl command shows it.
        </p>
      )}
      <h3>{followedTo === undefined ? 'Response' : `Response to the GET ${followedTo} that followed`}</h3>
      <Message firstLine={statusLine(status)} headers={headers} body={indented(body)} />
    </div>
  );
}
