/** The time of the emulators. Tests replace it, so that they do not have to wait. */
export interface Clock {
  /** Returns milliseconds since 1970. */
  now(): number;
  /**
   * Calls back once, when the time has come.
   *
   * @param time in milliseconds since 1970
   * @returns a function that cancels the call
   */
  wakeAt(time: number, wake: () => void): () => void;
}

/**
 * The longest that one timer runs. A timer of Node supports at most 24.8 days, and it does not advance while the machine
 * sleeps. Short timers compare with the system time often.
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
