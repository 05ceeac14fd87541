/** The time between two reads of the open dog while the user is active or the dog changes. */
const activeIntervalMs = 1_500;
const idleIntervalMs = 15_000;
/** The user is idle after this time without an action and without a change to the dog. */
const idleAfterMs = 300_000;
const maxRetryIntervalMs = 30_000;

export interface Activity {
  /** The time since the user's last action, or since the last change to the dog if that was later. */
  readonly idleMs: number;
  /** The number of reads that failed since the last success. */
  readonly failures: number;
}

/** Returns the time to wait before the next read of the open dog. It doubles with each failure. */
export function pollIntervalMs({ idleMs, failures }: Activity): number {
  if (failures > 0) return Math.min(activeIntervalMs * 2 ** failures, maxRetryIntervalMs);
  return isIdle(idleMs) ? idleIntervalMs : activeIntervalMs;
}

/** @param idleMs the time since the user's last action, or since the last change to the dog if that was later */
export function isIdle(idleMs: number): boolean {
  return idleMs >= idleAfterMs;
}
