/** The clock of the emulators. Tests replace it, so that they do not have to wait. */
export interface Clock {
  /** Returns the current time in milliseconds since 1970. */
  now(): number;
  /**
   * Calls `wake` once, at the given time.
   *
   * @param time milliseconds since 1970
   * @returns a function that cancels the call
   */
  wakeAt(time: number, wake: () => void): () => void;
  /**
   * The difference to the system time in milliseconds, in memory that threads share. Undefined if this clock does not affect the
   * threads of functions.
   */
  readonly offset?: BigInt64Array;
}

/**
 * The longest time for which one timer runs. A Node timer supports at most 24.8 days, and does not advance while the
 * machine sleeps. The clock therefore uses a series of short timers, and checks the system time after each of them.
 */
const maximumTimerMs = 60_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(time, wake) {
    let timer: NodeJS.Timeout;
    const wait = () => {
      const remainingMs = Math.max(0, time - Date.now());
      timer = setTimeout(
        () => (Date.now() < time ? wait() : wake()),
        Math.min(remainingMs, maximumTimerMs),
      ).unref();
    };
    wait();
    return () => clearTimeout(timer);
  },
};
