import { dateAndTime } from '../../shared/time.ts';
import { dogAddress } from '../routes.ts';
import { relativeTime } from '../times.ts';
import { Card } from '../ui/Card.tsx';
import { useNow } from '../ui/Time.tsx';
import { entries, hasStream, isConnected } from './feed-source.ts';

interface ActivityFeedProps {
  readonly dog?: string | undefined;
  readonly limit?: number;
}

/** The latest activities of all dogs or of one. Only a local service reports them. */
export function RecentActivity({ dog }: Pick<ActivityFeedProps, 'dog'>) {
  if (!hasStream.value) return null;
  return (
    <Card title={dog === undefined ? 'Activity' : `Activity of ${dog}`}>
      <ActivityFeed dog={dog} limit={5} />
    </Card>
  );
}

export function ActivityFeed({ dog, limit }: ActivityFeedProps) {
  const now = useNow();
  const shown = entries.value.filter((entry) => dog === undefined || entry.dog === dog).slice(0, limit);
  return (
    <div class="feed">
      {hasStream.value && !isConnected.value && (
        <p class="hint">The connection to the service was lost. The feed resumes when the page reconnects.</p>
      )}
      {shown.length === 0 && <p class="empty">No activity yet.</p>}
      {/* Screen readers announce new entries, but not the growing ages. */}
      <div role="log" aria-relevant="additions" aria-label="Activities">
        <ol>
          {shown.map(({ id, at, dog: named, text, detail, hasFailed }) => (
            <li key={id} class={hasFailed ? 'failed' : undefined}>
              <div>
                {dog === undefined && named !== undefined && <a href={dogAddress(named)}>{named}</a>} {text}
                {detail && <small>{detail}</small>}
              </div>
              <time dateTime={new Date(at * 1000).toISOString()} title={dateAndTime(at)}>
                {relativeTime(at, Math.max(now, at))}
              </time>
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}
