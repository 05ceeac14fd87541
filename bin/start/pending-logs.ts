import type { Log } from './log-text.ts';

/** How long a log waits for its request's response. The response can take half a minute, or never come. */
const maximumWaitMs = 1_000;

/** Holds the logs of requests that have no response yet, so that each log appears below its request's line. */
export class PendingLogs {
  private readonly logs = new Map<string, Log[]>();
  private readonly onLate: (log: Log) => void;

  /** @param onLate receives each log whose request gets no response in time */
  constructor(onLate: (log: Log) => void) {
    this.onLate = onLate;
  }

  add(requestId: string, log: Log): void {
    const logs = this.logs.get(requestId);
    logs?.push(log);
    if (logs) return;
    this.logs.set(requestId, [log]);
    setTimeout(() => this.take(requestId).forEach(this.onLate), maximumWaitMs).unref();
  }

  take(requestId: string): Log[] {
    const logs = this.logs.get(requestId) ?? [];
    this.logs.delete(requestId);
    return logs;
  }
}
