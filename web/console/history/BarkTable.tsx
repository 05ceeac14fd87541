import { dateAndTime } from '../../shared/time.ts';
import { relativeTime } from '../times.ts';
import type { KnownBark } from './known-barks.ts';

interface BarkTableProps {
  /** Newest first. */
  readonly barks: readonly KnownBark[];
  /** Unix seconds. */
  readonly now: number;
}

export function BarkTable({ barks, now }: BarkTableProps) {
  return (
    <table class="bark-table">
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col" class="age">
            Age
          </th>
          <th scope="col">Status</th>
          <th scope="col">ID</th>
        </tr>
      </thead>
      <tbody>
        {barks.map(({ key, timestamp, record }) => (
          <tr key={key}>
            <td>{timestamp === null ? '–' : dateAndTime(timestamp)}</td>
            <td class="age">{timestamp === null ? '' : relativeTime(timestamp, now)}</td>
            <td>
              {record ? <span class={`badge ${record.status}`}>{record.status}</span> : 'not recorded'}
              {record?.reason && <small>{record.reason}</small>}
            </td>
            <td class="id">
              <code>{record?.id}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
