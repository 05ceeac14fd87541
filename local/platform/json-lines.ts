import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseJson } from './json.ts';

/** A file with one JSON document per line, which survives restarts. Only its owner can read it. */
export class JsonLines<Item extends object> {
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
    // Ends an incomplete last line, so that the next item has its own line.
    const text = this.text();
    if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n');
  }

  /** Returns the items, the oldest first. Skips a line that is incomplete because the process was killed. */
  read(): Item[] {
    return this.text()
      .split('\n')
      .flatMap((line) => {
        const item = parseJson(line) as Item | undefined;
        return item === undefined ? [] : [item];
      });
  }

  append(item: Item): void {
    appendFileSync(this.file, `${JSON.stringify(item)}\n`, { mode: 0o600 });
  }

  private text(): string {
    return existsSync(this.file) ? readFileSync(this.file, 'utf8') : '';
  }
}
