const activeIntervalMs = 1_500;
const idleIntervalMs = 15_000;
const idleAfterMs = 300_000;
const maxRetryIntervalMs = 30_000;

export interface Activity {
  /** The time since the user's last action, or since the last change to the dog if that was later. */
  readonly idleMs: number;
  /** The number of failed reads since the last success. */
  readonly failures: number;
}

/** The interval doubles with each failure, up to a maximum. Without failures, it is longer while the user is idle. */
export function pollIntervalMs({ idleMs, failures }: Activity): number {
  if (failures > 0) return Math.min(activeIntervalMs * 2 ** failures, maxRetryIntervalMs);
  return isIdle(idleMs) ? idleIntervalMs : activeIntervalMs;
}

/** @param idleMs as in `Activity` */
export function isIdle(idleMs: number): boolean {
  return idleMs >= idleAfterMs;
}
