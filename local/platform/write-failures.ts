import { type Clock, systemClock } from './clock.ts';
import { isAboutFullDisk } from './disk-errors.ts';
import { log } from './log.ts';

const intervalMs = 60_000;

/** Logs at most one failed write per minute, because every write fails while the disk is full. */
export class WriteFailures {
  private readonly subject: string;
  private readonly clock: Pick<Clock, 'now'>;
  private nextAt = Number.NEGATIVE_INFINITY;

  /** @param subject what cannot be written, such as `The log of a function` */
  constructor(subject: string, clock: Pick<Clock, 'now'> = systemClock) {
    this.subject = subject;
    this.clock = clock;
  }

  report(error: unknown): void {
    const now = this.clock.now();
    if (now < this.nextAt) return;
    this.nextAt = now + intervalMs;
    const advice = isAboutFullDisk(error) ? '. Free some space on the disk that contains DATA_DIR.' : '';
    log(`${this.subject} cannot be written: ${(error as Error).message}${advice}`);
  }
}
