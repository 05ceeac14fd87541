import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseJson } from './json.ts';

/** A file that keeps JSON documents, one a line, from one start to the next; its owner alone can read it. */
export class JsonLines<Item extends object> {
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
    // A line that was torn must not take the next one with it.
    const text = this.text();
    if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n');
  }

  read(): Item[] {
    return this.text()
      .split('\n')
      .flatMap(itemsOf<Item>);
  }

  append(item: Item): void {
    appendFileSync(this.file, `${JSON.stringify(item)}\n`, { mode: 0o600 });
  }

  private text(): string {
    return existsSync(this.file) ? readFileSync(this.file, 'utf8') : '';
  }
}

/** Returns the item of a line, or none if the line is torn because the process was killed while it wrote the line. */
function itemsOf<Item>(line: string): Item[] {
  const item = parseJson(line) as Item | undefined;
  return item === undefined ? [] : [item];
}
