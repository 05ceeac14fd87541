/** The emulators' clock. Tests replace it, so that they need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `wake` once, at a time in milliseconds since 1970, or never. Returns a function that cancels the call. */
  wakeAt(time: number | null, wake: () => void): () => void;
  /** The difference from the system time in milliseconds, in shared memory. Undefined if threads use the system time. */
  readonly offset?: BigInt64Array;
}

/** A Node timer runs for at most 24.8 days, and stops while the machine sleeps. A series of short timers avoids both problems. */
const maximumTimerMs = 60_000;

interface Alarm {
  readonly time: number;
  readonly wake: () => void;
  timer?: NodeJS.Timeout;
}

export class AdjustableClock implements Clock {
  readonly offset = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
  private readonly alarms = new Set<Alarm>();

  constructor(offsetMs = 0) {
    this.advance(offsetMs);
  }

  now(): number {
    return Date.now() + Number(Atomics.load(this.offset, 0));
  }

  wakeAt(time: number | null, wake: () => void): () => void {
    if (time === null) return () => {};
    const alarm: Alarm = { time, wake };
    this.alarms.add(alarm);
    this.arm(alarm);
    return () => {
      clearTimeout(alarm.timer);
      this.alarms.delete(alarm);
    };
  }

  /** Sets the clock forward, or back if the number is negative. Alarms that are then due fire in chronological order. */
  advance(milliseconds: number): void {
    Atomics.add(this.offset, 0, BigInt(milliseconds));
    // Timers that end at the same time fire in the order in which they were created.
    for (const alarm of [...this.alarms].sort((a, b) => a.time - b.time)) this.arm(alarm);
  }

  private arm(alarm: Alarm): void {
    clearTimeout(alarm.timer);
    const remainingMs = Math.max(0, alarm.time - this.now());
    alarm.timer = setTimeout(
      () => {
        if (this.now() < alarm.time) return this.arm(alarm);
        this.alarms.delete(alarm);
        alarm.wake();
      },
      Math.min(remainingMs, maximumTimerMs),
    ).unref();
  }
}

/**
 * Ends this process with an error of work in the background, such as that the disk is full: nobody awaits a timer, so the error stays
 * uncaught. The work is still on disk, and the next start repeats it.
 */
export function failUncaught(error: unknown, clock: Clock): void {
  clock.wakeAt(clock.now(), () => {
    throw error;
  });
}

const unshifted = new AdjustableClock();

export const systemClock: Clock = {
  now: () => unshifted.now(),
  wakeAt: (time, wake) => unshifted.wakeAt(time, wake),
};
