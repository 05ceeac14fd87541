import { useEffect, useState } from 'preact/hooks';
import { dateAndTime } from '../../shared/time.ts';
import { relativeTime } from '../times.ts';

/** Returns the current time in Unix seconds, and renders the component again each second. */
export function useNow(): number {
  const [, setTicks] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.floor(Date.now() / 1000);
}

/** @param at Unix seconds */
export function RelativeTime({ at }: { readonly at: number }) {
  const now = useNow();
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={dateAndTime(at)}>
      {relativeTime(at, now)}
    </time>
  );
}
