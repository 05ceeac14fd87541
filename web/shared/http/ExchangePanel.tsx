import { type Exchange, noResponse } from './exchange.ts';
import { indented, isSameRequest, outcomeOf, statusLine } from './exchange-text.ts';
import { Message } from './Message.tsx';
import { RequestView } from './RequestView.tsx';
import type { Request } from './requests.ts';

interface ExchangePanelProps {
  /** The request that the page sends next. */
  readonly request: Request;
  readonly exchange?: Exchange | undefined;
  readonly isSending?: boolean;
  /** Whether a panel starts open. By default, an exchange does and, in a wide window, a request before the first exchange. */
  readonly open?: boolean | undefined;
}

/** Shows the last exchange and, below it, the next request if that differs from the last one. */
export function ExchangePanel({ request, exchange, isSending = false, open }: ExchangePanelProps) {
  const isNew = exchange === undefined || !isSameRequest(request, exchange.request);
  const isPreviewOpen = exchange === undefined && matchMedia('(min-width: 72rem)').matches;
  return (
    <div class="exchanges">
      {exchange && (
        <Panel
          // A new response reopens a panel that the user has closed.
          key={exchange.startedAt}
          request={exchange.request}
          exchange={exchange}
          isSending={isSending && !isNew}
          isOpen={open ?? true}
        />
      )}
      {isNew && (
        <Panel
          key={`next ${exchange === undefined}`}
          title={exchange && 'Next request'}
          request={request}
          isSending={isSending}
          isOpen={open ?? isPreviewOpen}
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
}

function Panel({ title, request, exchange, isSending, isOpen }: PanelProps) {
  return (
    <details class="exchange" open={isOpen}>
      <summary>
        {title && <span class="title">{title}</span>}
        <span class="method">{request.method}</span> <code>{request.path}</code>{' '}
        <Status exchange={exchange} isSending={isSending} />
      </summary>
      <div class="parts">
        <RequestView request={request} />
        {exchange && <ResponseView exchange={exchange} />}
      </div>
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
  const { kind, text } = outcomeOf(exchange);
  return (
    <>
      <span class={`badge ${kind}`}>
        {/* Color alone is not enough. */}
        {kind === 'bad' && <span aria-hidden="true">✕ </span>}
        {text}
      </span>{' '}
      <small class="duration">{Math.round(exchange.durationMs)} ms</small>
    </>
  );
}

function ResponseView({ exchange }: { exchange: Exchange }) {
  const { response } = exchange;
  if (!response)
    return (
      <div class="part bad">
        <p>{noResponse}</p>
      </div>
    );
  const { status, headers, body, followedTo } = response;
  return (
    <div class={`part ${outcomeOf(exchange).kind}`}>
      {followedTo !== undefined && (
        <p>The browser followed a redirect, which this page cannot see. The curl command shows it.</p>
      )}
      <h3>{followedTo === undefined ? 'Response' : `Response to the GET ${followedTo} that followed`}</h3>
      <Message firstLine={statusLine(status)} headers={headers} body={indented(body)} />
    </div>
  );
}
