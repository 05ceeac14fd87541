import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { parseJson } from './json.ts';
import { log } from './log.ts';

/** A file that only its owner can read, with one JSON document per line. */
export class JsonLines<Item extends object> {
  private readonly file: string;
  private readonly isItem: (value: unknown) => value is Item;

  constructor(file: string, isItem: (value: unknown) => value is Item) {
    this.file = file;
    this.isItem = isItem;
  }

  /** Oldest first. Skips lines that are damaged, or that a kill or a full disk left incomplete, and logs how many there are. */
  read(): Item[] {
    const text = existsSync(this.file) ? readFileSync(this.file, 'utf8') : '';
    const lines = text.split('\n').filter(Boolean);
    const items = lines.map(parseJson).filter(this.isItem);
    const skipped = lines.length - items.length;
    if (skipped > 0)
      log(
        `${this.file} has ${skipped} damaged or incomplete ${skipped === 1 ? 'line' : 'lines'}, which the service skips.`,
      );
    return items;
  }

  append(item: Item): void {
    const file = openSync(this.file, 'a+', 0o600);
    try {
      // Ends an incomplete last line, so that the item gets a line of its own.
      const start = isLineComplete(file) ? '' : '\n';
      writeFileSync(file, `${start}${JSON.stringify(item)}\n`);
    } finally {
      closeSync(file);
    }
  }

  clear(): void {
    rmSync(this.file, { force: true });
  }
}

/** Returns true if the file is empty or ends with a newline. The descriptor must be readable. */
function isLineComplete(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last.toString() === '\n';
}
