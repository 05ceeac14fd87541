import type { AwsEndpoint } from '../endpoint/endpoint.ts';
import { type Clock, systemClock } from './clock.ts';

interface Alarm {
  readonly time: number;
  readonly wake: () => void;
  cancel: () => void;
}

/** A clock that a test can set forward and back. The threads of functions share its offset from the system time. */
export class AdjustableClock implements Clock {
  readonly offset = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
  private readonly alarms = new Set<Alarm>();

  /** @param offsetMs the difference to the system time at first */
  constructor(offsetMs = 0) {
    this.advance(offsetMs);
  }

  now(): number {
    return systemClock.now() + this.offsetMs;
  }

  wakeAt(time: number, wake: () => void): () => void {
    const alarm: Alarm = { time, wake, cancel: () => {} };
    this.alarms.add(alarm);
    this.arm(alarm);
    return () => {
      alarm.cancel();
      this.alarms.delete(alarm);
    };
  }

  /** Sets the clock forward, or back if the number is negative. Makes the calls that became due, in the order of their times. */
  advance(milliseconds: number): void {
    Atomics.add(this.offset, 0, BigInt(milliseconds));
    // Timers that end at the same time fire in the order in which they were created.
    for (const alarm of [...this.alarms].sort((a, b) => a.time - b.time)) this.arm(alarm);
  }

  private get offsetMs(): number {
    return Number(Atomics.load(this.offset, 0));
  }

  private arm(alarm: Alarm): void {
    alarm.cancel();
    alarm.cancel = systemClock.wakeAt(alarm.time - this.offsetMs, () => {
      this.alarms.delete(alarm);
      alarm.wake();
    });
  }
}

/**
 * Lets tests control a clock at a URL:
 *
 * | Request                | Response                                                                    |
 * | ---------------------- | --------------------------------------------------------------------------- |
 * | `GET`                  | `{"now":…}`, in milliseconds since 1970                                     |
 * | `POST ?advance=90000`  | 204, after the clock is set forward, or back by a negative number           |
 *
 * @param path must be an `unguessablePath`
 * @returns the URL
 */
export function serveClock(endpoint: AwsEndpoint, clock: AdjustableClock, path: string): string {
  endpoint.addAction('POST', path, (query) => clock.advance(Number(query.get('advance'))));
  return endpoint.addPage(path, () => ({
    contentType: 'application/json',
    body: JSON.stringify({ now: clock.now() }),
  }));
}
