import { useState } from 'preact/hooks';
import { dateAndTime, relativeTime } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import type { KnownBark } from './loaded-barks.ts';

const rowsPerPage = 20;

interface BarkTableProps {
  /** Newest first. */
  readonly barks: readonly KnownBark[];
  /** Unix seconds. */
  readonly now: number;
}

/** New barks do not move the rows of a page that the user has chosen. */
export function BarkTable({ barks, now }: BarkTableProps) {
  /** The key of the first row. Undefined for the newest barks. */
  const [first, setFirst] = useState<string>();
  const start = Math.max(0, first === undefined ? 0 : barks.findIndex(({ key }) => key === first));
  const end = Math.min(start + rowsPerPage, barks.length);
  const showFrom = (index: number) => setFirst(index <= 0 ? undefined : barks[index]?.key);
  return (
    <>
      <table class="bark-table">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Age</th>
            <th scope="col">Status</th>
            <th scope="col">ID</th>
          </tr>
        </thead>
        <tbody>
          {barks.slice(start, end).map((bark) => (
            <BarkRow key={bark.key} bark={bark} now={now} />
          ))}
        </tbody>
      </table>
      {barks.length > rowsPerPage && (
        <nav class="row" aria-label="Pages of the table">
          <Button kind="small" disabled={start === 0} onClick={() => showFrom(start - rowsPerPage)}>
            ← Newer
          </Button>
          <span>
            {start + 1}–{end} of {barks.length.toLocaleString('en')}
          </span>
          <Button kind="small" disabled={end === barks.length} onClick={() => showFrom(end)}>
            Older →
          </Button>
        </nav>
      )}
    </>
  );
}

function BarkRow({ bark, now }: { readonly bark: KnownBark; readonly now: number }) {
  const { timestamp, record } = bark;
  return (
    <tr>
      <td>{timestamp === null ? '–' : dateAndTime(timestamp)}</td>
      <td class="age">{timestamp === null ? '' : relativeTime(timestamp, now)}</td>
      <td>
        {record ? <span class={`status ${record.status}`}>{record.status}</span> : 'not recorded'}
        {record?.reason && <small>{record.reason}</small>}
      </td>
      <td class="id">{record && <CopyableId id={record.id} />}</td>
    </tr>
  );
}

function CopyableId({ id }: { readonly id: string }) {
  const [state, setState] = useState<'copied' | 'denied'>();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(id);
      setState('copied');
    } catch {
      setState('denied');
    }
  };
  return (
    <div class="copyable">
      <code>{id}</code>
      <Button kind="icon" aria-label={`Copy the ID ${id}`} onClick={copy} onBlur={() => setState(undefined)}>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d={state === 'copied' ? 'M3 8.5l3.5 3.5L13 4.5' : 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3'} />
        </svg>
      </Button>
      <span class="visually-hidden" role="status">
        {state === 'copied' && 'Copied'}
        {state === 'denied' && 'The browser blocked copying.'}
      </span>
    </div>
  );
}
