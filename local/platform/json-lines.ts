import { appendFileSync, existsSync, readFileSync } from 'node:fs';

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
      .flatMap(parsed<Item>);
  }

  append(item: Item): void {
    appendFileSync(this.file, `${JSON.stringify(item)}\n`, { mode: 0o600 });
  }

  private text(): string {
    return existsSync(this.file) ? readFileSync(this.file, 'utf8') : '';
  }
}

/** A line of the file; one may be torn, if the process was killed while it wrote. */
function parsed<Item>(line: string): Item[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
