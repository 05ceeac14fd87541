import { appendFileSync, closeSync, fstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { type Clock, systemClock } from '../platform/clock.ts';
import { isLineComplete } from '../platform/json-lines.ts';

/** The maximum size of a log file. A log consists of two files: the current one and the previous one. */
const maximumFileBytes = 5_000_000;

/** The age at which the current file is replaced. At the next start, a previous file of this age is deleted. */
const maximumAgeMs = 7 * 24 * 60 * 60 * 1_000;

/** A file that becomes too large or too old is renamed to `<file>.1`, which replaces the previous file. */
export class LogFile {
  private readonly file: string;
  private readonly clock: Clock;
  /** The file descriptor. Undefined if the file is not open, because it could not be opened after a rename. */
  private descriptor: number | undefined;
  private isClosed = false;
  /** True if the last write failed, so the file may end with part of a line. */
  private hasFailed = false;
  private bytes = 0;
  /** The time at which the current file was created, in milliseconds since 1970. */
  private since = 0;

  constructor(file: string, clock = systemClock) {
    this.file = file;
    this.clock = clock;
    this.descriptor = this.open();
    this.rotateIfNeeded(0);
    this.deletePreviousIfOld();
  }

  /**
   * Appends lines synchronously, because asynchronous writes take several times as long. Does nothing after `close`.
   *
   * @throws Error if the file cannot be written. A later call can succeed
   */
  append(lines: string | Uint8Array): void {
    if (this.isClosed) return;
    const length = Buffer.byteLength(lines);
    this.descriptor ??= this.open();
    this.rotateIfNeeded(length);
    if (this.hasFailed && !isLineComplete(this.descriptor)) appendFileSync(this.descriptor, '\n');
    this.hasFailed = true;
    appendFileSync(this.descriptor, lines);
    this.hasFailed = false;
    this.bytes += length;
  }

  close(): void {
    this.isClosed = true;
    this.closeFile();
  }

  private closeFile(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private open(): number {
    const descriptor = openSync(this.file, 'a+', 0o600);
    const stats = fstatSync(descriptor);
    this.bytes = stats.size;
    // For a new file, uses the clock instead of the creation time in the file system, because tests have their own clock.
    this.since = stats.size === 0 ? this.clock.now() : stats.birthtimeMs;
    return descriptor;
  }

  private rotateIfNeeded(length: number): void {
    const isTooLarge = this.bytes + length > maximumFileBytes;
    const isTooOld = this.clock.now() - this.since > maximumAgeMs;
    if (this.bytes === 0 || !(isTooLarge || isTooOld)) return;
    this.closeFile();
    try {
      renameSync(this.file, this.previous);
    } finally {
      this.descriptor = this.open();
    }
  }

  private deletePreviousIfOld(): void {
    const stats = statSync(this.previous, { throwIfNoEntry: false });
    if (stats && this.clock.now() - stats.mtimeMs > maximumAgeMs) rmSync(this.previous, { force: true });
  }

  private get previous(): string {
    return `${this.file}.1`;
  }
}
