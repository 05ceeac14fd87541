/** Time as the parts of this machine have it, so that tests need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once, as soon as that time has come. @returns what cancels it */
  wakeAt(time: number, wake: () => void): () => void;
}

/**
 * The longest that one timer runs, in milliseconds. A timer takes no more than 24.8 days, and it stands still while the
 * machine sleeps: it is set anew often, by the time of the wall.
 */
const longestTimer = 60_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(time, wake) {
    let timer: NodeJS.Timeout;
    const wait = () => {
      const rest = Math.max(0, time - Date.now());
      timer = setTimeout(() => (Date.now() < time ? wait() : wake()), Math.min(rest, longestTimer)).unref();
    };
    wait();
    return () => clearTimeout(timer);
  },
};
