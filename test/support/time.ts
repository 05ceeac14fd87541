import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '../../tools/service.ts';
import { readAgain } from './read-again.ts';

type Clock = Pick<Access, 'clock_url'>;

/** Sets the clock of a service forward, or back for negative seconds, if `access.json` has a `clock_url`; otherwise waits. */
export async function passTime(access: Clock, seconds: number): Promise<void> {
  if (access.clock_url) await skipTime(access, seconds);
  else await sleep(seconds * 1000);
}

/** Sets the clock of a service forward if it has a `clock_url`, so that the test waits less. Otherwise does nothing. */
export async function skipTime({ clock_url }: Clock, seconds: number): Promise<void> {
  if (!clock_url) return;
  const { status } = await fetch(`${clock_url}?advance=${Math.round(seconds * 1000)}`, { method: 'POST' });
  if (status !== 204) throw new Error(`The clock of the service responded with ${status}.`);
}

/** Returns the time of a service in milliseconds since 1970. Without a `clock_url`, returns the time of this machine. */
export async function timeOf({ clock_url }: Clock): Promise<number> {
  if (!clock_url) return Date.now();
  const response = await readAgain(fetch)(clock_url);
  return ((await response.json()) as { now: number }).now;
}
