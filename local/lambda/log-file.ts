import { appendFileSync, renameSync, statSync } from 'node:fs';
import { log } from '../platform/log.ts';

const maximumFileBytes = 5_000_000;

/** A file that becomes too large is renamed to `<file>.1`, and replaces the previous `<file>.1`. */
export class LogFile {
  private readonly file: string;
  private bytes: number;
  private isClosed = false;
  /** True if the last write failed. */
  private hasFailed = false;

  constructor(file: string) {
    this.file = file;
    this.bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Synchronous, because asynchronous writes take several times as long. Does nothing after `close`. */
  append(lines: string): void {
    if (this.isClosed) return;
    const length = Buffer.byteLength(lines);
    try {
      if (this.bytes > 0 && this.bytes + length > maximumFileBytes) {
        renameSync(this.file, `${this.file}.1`);
        this.bytes = 0;
      }
      appendFileSync(this.file, lines, { mode: 0o600 });
      this.bytes += length;
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) log(`${this.file} cannot be written: ${(error as Error).message}`);
      this.hasFailed = true;
    }
  }

  close(): void {
    this.isClosed = true;
  }
}
