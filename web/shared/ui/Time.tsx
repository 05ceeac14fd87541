import { useEffect, useState } from 'preact/hooks';
import { dateAndTime, relativeTime, seconds } from '../time.ts';

/** The time between two updates of relative times. */
const updateIntervalMs = 5_000;

/** Returns the current time in Unix seconds, and renders the component again regularly. */
export function useNow(intervalMs = updateIntervalMs): number {
  const [, setTicks] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return seconds(Date.now());
}

/** A time relative to now. The tooltip has the date and the time of day. @param at Unix seconds */
export function RelativeTime({ at }: { readonly at: number }) {
  const now = useNow();
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={dateAndTime(at)}>
      {relativeTime(at, now)}
    </time>
  );
}
