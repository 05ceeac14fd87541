import { appendFileSync, closeSync, fstatSync, openSync, renameSync } from 'node:fs';
import { log } from '../platform/log.ts';

const maximumFileBytes = 5_000_000;

/** A file that becomes too large is renamed to `<file>.1`, and replaces the previous `<file>.1`. */
export class LogFile {
  private readonly file: string;
  /** Undefined if the file is closed, or could not be opened after a rename. */
  private descriptor: number | undefined;
  private isClosed = false;
  /** True if the last write failed. */
  private hasFailed = false;
  private bytes = 0;

  constructor(file: string) {
    this.file = file;
    this.descriptor = this.open();
  }

  /** Synchronous, because asynchronous writes take several times as long. Does nothing after `close`. */
  append(lines: string): void {
    if (this.isClosed) return;
    try {
      this.write(lines);
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) log(`${this.file} cannot be written: ${(error as Error).message}`);
      this.hasFailed = true;
    }
  }

  close(): void {
    this.isClosed = true;
    this.closeFile();
  }

  private write(lines: string): void {
    const length = Buffer.byteLength(lines);
    this.descriptor ??= this.open();
    this.rotateIfNeeded(length);
    appendFileSync(this.descriptor, lines);
    this.bytes += length;
  }

  private closeFile(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private open(): number {
    const descriptor = openSync(this.file, 'a+', 0o600);
    this.bytes = fstatSync(descriptor).size;
    return descriptor;
  }

  private rotateIfNeeded(length: number): void {
    if (this.bytes === 0 || this.bytes + length <= maximumFileBytes) return;
    this.closeFile();
    try {
      renameSync(this.file, `${this.file}.1`);
    } finally {
      this.descriptor = this.open();
    }
  }
}
