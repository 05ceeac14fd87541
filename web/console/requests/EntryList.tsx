import { Code } from '../../shared/http/Code.tsx';
import { StatusBadge } from '../../shared/http/StatusBadge.tsx';
import { seconds } from '../../shared/time.ts';
import { RelativeTime } from '../../shared/ui/Time.tsx';
import type { HistoryEntry } from './history.ts';

interface EntryListProps {
  readonly entries: readonly HistoryEntry[];
  readonly selectedId: number | undefined;
  readonly onSelect: (id: number) => void;
}

export function EntryList({ entries, selectedId, onSelect }: EntryListProps) {
  return (
    <ol class="entries">
      {entries.map(({ id, exchange, isBackground }) => (
        <li key={id}>
          <button type="button" aria-current={id === selectedId || undefined} onClick={() => onSelect(id)}>
            <span class="method">{exchange.request.method}</span>{' '}
            <code>
              <Code text={exchange.request.path} />
            </code>
          </button>
          <p class="row">
            <StatusBadge exchange={exchange} />
            <small class="duration">{Math.round(exchange.durationMs)} ms</small>
            {isBackground && <small>background</small>}
            <small class="time">
              <RelativeTime at={seconds(exchange.startedAt)} />
            </small>
          </p>
        </li>
      ))}
    </ol>
  );
}
