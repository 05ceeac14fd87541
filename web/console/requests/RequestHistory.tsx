import { useEffect, useRef, useState } from 'preact/hooks';
import type { Request } from '../../shared/http/requests.ts';
import { send } from '../../shared/session.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Heading } from '../../shared/ui/Heading.tsx';
import { wideWindow } from '../../shared/ui/wide-window.ts';
import { draftOf, emptyDraft, type RequestDraft } from './draft.ts';
import { EntryDetails } from './EntryDetails.tsx';
import { EntryList } from './EntryList.tsx';
import { HistoryFilters } from './HistoryFilters.tsx';
import { clearHistory, type HistoryFilter, history, matching, maxEntries } from './history.ts';
import { RequestComposer } from './RequestComposer.tsx';

type Selection =
  | { readonly kind: 'composer'; readonly draft: RequestDraft; readonly key: number }
  | { readonly kind: 'entry'; readonly id: number };

let composers = 0;

export function RequestHistory() {
  const [filter, setFilter] = useState<HistoryFilter>({ text: '', hidesBackground: true });
  const [selection, select] = useState<Selection>();
  const [isSending, setSending] = useState(false);
  const details = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The list, which had focus, is now hidden.
    if (selection && !wideWindow.matches) details.current?.focus();
  }, [selection]);
  const entries = matching(history.value, filter);
  const selected =
    selection?.kind === 'entry' ? history.value.find(({ id }) => id === selection.id) : undefined;

  const compose = (draft: RequestDraft) => {
    composers += 1;
    select({ kind: 'composer', draft, key: composers });
  };
  const repeat = async (request: Request) => {
    setSending(true);
    const exchange = await send(request);
    setSending(false);
    const entry = history.value.find((one) => one.exchange === exchange);
    if (entry) select({ kind: 'entry', id: entry.id });
  };

  return (
    <div class={`requests ${selected || selection?.kind === 'composer' ? 'has-selection' : ''}`}>
      <div class="row spread heading">
        <Heading>Requests</Heading>
        <Button kind="main" onClick={() => compose(emptyDraft)}>
          New request
        </Button>
      </div>
      <section class="request-list" aria-label="All requests">
        <p class="hint">
          This page keeps its last {maxEntries} requests, without credentials, until you reload the page or
          sign out.
        </p>
        <HistoryFilters filter={filter} onChange={setFilter} />
        <div class="row spread">
          <small role="status">
            {entries.length} of {history.value.length} requests
          </small>
          {history.value.length > 0 && (
            <Button kind="small" onClick={clearHistory}>
              Clear
            </Button>
          )}
        </div>
        {entries.length > 0 ? (
          <EntryList
            entries={entries}
            selectedId={selected?.id}
            onSelect={(id) => select({ kind: 'entry', id })}
          />
        ) : (
          <p class="empty">
            {history.value.some(({ isBackground }) => !isBackground)
              ? 'No request matches the filter.'
              : 'No requests yet, except background reads.'}
          </p>
        )}
      </section>
      <div class="request-details" ref={details} tabIndex={-1}>
        <div class="back">
          <Button kind="small" onClick={() => select(undefined)}>
            ← All requests
          </Button>
        </div>
        {selection?.kind === 'composer' && <RequestComposer key={selection.key} initial={selection.draft} />}
        {selected && (
          <EntryDetails
            entry={selected}
            isSending={isSending}
            onRepeat={() => repeat(selected.exchange.request)}
            onEdit={() => compose(draftOf(selected.exchange.request))}
          />
        )}
        {!selected && selection?.kind !== 'composer' && (
          <p class="empty">Select a request to see its response, or write a new one.</p>
        )}
      </div>
    </div>
  );
}
