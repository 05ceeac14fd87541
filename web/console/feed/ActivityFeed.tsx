import { useEffect, useRef, useState } from 'preact/hooks';
import { isLocal } from '../../shared/service.ts';
import { dateAndTime, relativeTime } from '../../shared/time.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { useNow } from '../../shared/ui/Time.tsx';
import { NeedsLink } from '../NeedsLink.tsx';
import { dogAddress } from '../routes.ts';
import { announcement, type Entry, type Kind, kinds, selected } from './feed.ts';
import { entries, hasStream, isConnected } from './feed-source.ts';

interface ActivityFeedProps {
  readonly dog?: string;
  /** If set, the feed shows at most this many entries, and no controls. */
  readonly limit?: number;
}

const labels: Readonly<Record<Kind, string>> = {
  bark: 'Barks',
  cancellation: 'Cancellations',
  mail: 'Mail',
  occurrence: 'Occurrences',
  schedule: 'Schedules',
  request: 'Requests',
};

/** The icons' SVG paths, in a square of 16 units. */
const icons: Readonly<Record<Kind, string>> = {
  bark: 'M2 6h3l4-3v10l-4-3H2zM11 6a3 3 0 0 1 0 4M12.5 4a6 6 0 0 1 0 8',
  cancellation: 'M4 4l8 8M12 4l-8 8',
  mail: 'M2 4h12v8H2zM2 4.5l6 4.5 6-4.5',
  occurrence: 'M8 2.5a5.5 5.5 0 1 0 .01 0M8 5v3l2 1.5',
  schedule: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5V5M10.5 2.5V5',
  request: 'M3 8h10M9 4l4 4-4 4',
};

export function ActivityFeed({ dog, limit }: ActivityFeedProps) {
  const [kind, setKind] = useState<Kind>();
  const [paused, setPaused] = useState<readonly Entry[]>();
  const now = useNow();
  const current = entries.value;
  const shown = selected(paused ?? current, { dog, kind }).slice(0, limit);
  const missed = paused ? current.filter((entry) => !paused.includes(entry)).length : 0;
  const announced = useAnnouncement(selected(paused ?? current, { dog }));
  return (
    <div class="feed">
      {limit === undefined && (
        <div class="feed-controls">
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset needs a visible legend */}
          <div class="feed-kinds" role="group" aria-label="Kinds of activity">
            {[undefined, ...kinds].map((one) => (
              <button type="button" key={one} aria-pressed={one === kind} onClick={() => setKind(one)}>
                {one ? labels[one] : 'All'}
              </button>
            ))}
          </div>
          <Button kind="small" onClick={() => setPaused(paused ? undefined : current)}>
            {paused ? `Resume${missed > 0 ? ` (${missed} new)` : ''}` : 'Pause'}
          </Button>
        </div>
      )}
      {hasStream.value && !isConnected.value && (
        <p class="hint">The connection to the service was lost. The feed resumes when the page reconnects.</p>
      )}
      <Lack isShort={limit !== undefined} />
      {shown.length === 0 && <EmptyFeed dog={dog} kind={kind} />}
      {/* With `off`, a screen reader does not read each new entry. The status below sums them up. */}
      <div role="log" aria-live="off" aria-label="Activities">
        <ol>
          {shown.map((entry) => (
            <Item key={entry.id} entry={entry} now={now} showsDog={dog === undefined} />
          ))}
        </ol>
      </div>
      <p class="visually-hidden" role="status">
        {announced}
      </p>
    </div>
  );
}

function EmptyFeed({ dog, kind }: { readonly dog: string | undefined; readonly kind: Kind | undefined }) {
  const whose = dog ?? (hasStream.value ? 'all dogs' : 'the open dog');
  if (kind) return <p class="empty">No entries of this kind yet.</p>;
  return (
    <p class="empty">
      <strong>No activity yet.</strong>{' '}
      {hasStream.value ? `Activity of ${whose} appears here.` : `Changes to ${whose} appear here.`}
    </p>
  );
}

function Lack({ isShort }: { readonly isShort: boolean }) {
  if (hasStream.value) return null;
  if (isShort)
    return (
      <p class="hint">
        Only changes to the open dog. <a href="#activity">What is missing?</a>
      </p>
    );
  const lack =
    'This page shows only changes to the open dog. It does not show other dogs, mail, requests, or barks that are not recorded.';
  return isLocal ? <NeedsLink>{lack}</NeedsLink> : <Alert kind="info">{lack}</Alert>;
}

interface ItemProps {
  readonly entry: Entry;
  /** Unix seconds. */
  readonly now: number;
  readonly showsDog: boolean;
}

function Item({ entry: { at, kind, dog, text, detail, hasFailed }, now, showsDog }: ItemProps) {
  return (
    <li class={hasFailed ? 'failed' : undefined}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={icons[kind]} />
      </svg>
      <div>
        {showsDog && dog !== undefined && <a href={dogAddress(dog)}>{dog}</a>} {text}
        {detail && <small>{detail}</small>}
      </div>
      <time dateTime={new Date(at * 1000).toISOString()}>
        {relativeTime(at, Math.max(now, at))}
        <small>{dateAndTime(at)}</small>
      </time>
    </li>
  );
}

const announcementIntervalMs = 3_000;

/** Returns a text for screen readers that sums up the new entries. Empty at first. */
function useAnnouncement(current: readonly Entry[]): string {
  const known = useRef<ReadonlySet<string>>(undefined);
  const latest = useRef(current);
  const [text, setText] = useState('');
  latest.current = current;
  useEffect(() => {
    known.current = new Set(latest.current.map(({ id }) => id));
    const timer = setInterval(() => {
      const added = latest.current.filter(({ id }) => !known.current?.has(id));
      if (added.length === 0) return;
      known.current = new Set(latest.current.map(({ id }) => id));
      setText(announcement(added));
    }, announcementIntervalMs);
    return () => clearInterval(timer);
  }, []);
  return text;
}
