import type { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Consecutive lines that are equal apart from their times. */
interface Run {
  readonly key: string;
  count: number;
  /** The latest text, including the counter. */
  text: string;
}

/**
 * Consecutive lines with the same key become one line with a counter. On a terminal, the line is rewritten each time. Otherwise,
 * the first line is written at once, and the last one when the run ends.
 */
export class Lines {
  private readonly stream: OutputStream;
  private run: Run | undefined;

  constructor(stream: OutputStream) {
    this.stream = stream;
  }

  /** @param key what equal lines have in common. Undefined for lines that are never merged */
  write(lines: readonly string[], key?: string): void {
    if (lines.length === 0) return;
    const text = lines.join('\n');
    if (key !== undefined && key === this.run?.key) {
      this.repeat(this.run, text);
      return;
    }
    this.endRun();
    this.stream.write(`${text}\n`);
    if (key !== undefined) this.run = { key, count: 1, text };
  }

  /** Ends a run of equal lines, for example because the user has typed something below them. */
  endRun(): void {
    if (this.run && this.run.count > 1 && !this.stream.isTTY) this.stream.write(`${this.run.text}\n`);
    this.run = undefined;
  }

  private repeat(run: Run, text: string): void {
    const rows = Math.ceil(stripVTControlCharacters(run.text).length / (this.stream.columns || 80));
    run.count += 1;
    run.text = `${text} ×${run.count}`;
    // Moves the cursor up to the beginning of the previous text, and clears the screen from there.
    if (this.stream.isTTY) this.stream.write(`\u001b[${rows}A\u001b[J${run.text}\n`);
  }
}
