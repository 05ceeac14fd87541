import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonLines } from '../../../local/platform/json-lines.ts';

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lines-'));
  file = join(directory, 'mails.jsonl');
});

afterEach(() => rmSync(directory, { recursive: true }));

describe('A file of JSON lines', () => {
  test('keeps the items, oldest first', () => {
    const lines = new JsonLines<{ id: number }>(file);
    lines.append({ id: 1 });
    lines.append({ id: 2 });
    expect(new JsonLines(file).read()).toEqual([{ id: 1 }, { id: 2 }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('keeps an item that follows a line that a full disk has cut off', () => {
    const lines = new JsonLines<{ id: number }>(file);
    lines.append({ id: 1 });
    // The disk stores a part of the line, and the write fails.
    appendFileSync(file, '{"id":');
    lines.append({ id: 3 });
    expect(new JsonLines(file).read()).toEqual([{ id: 1 }, { id: 3 }]);
  });

  test('keeps the items of a file whose last line a kill has cut off', () => {
    new JsonLines<{ id: number }>(file).append({ id: 1 });
    appendFileSync(file, '{"id":');
    new JsonLines<{ id: number }>(file).append({ id: 3 });
    expect(new JsonLines(file).read()).toEqual([{ id: 1 }, { id: 3 }]);
  });

  test('has no empty lines', () => {
    const lines = new JsonLines<{ id: number }>(file);
    lines.append({ id: 1 });
    lines.append({ id: 2 });
    expect(readFileSync(file, 'utf8')).toBe('{"id":1}\n{"id":2}\n');
  });

  test('can be emptied while it is in use', () => {
    const lines = new JsonLines<{ id: number }>(file);
    lines.append({ id: 1 });
    truncateSync(file);
    lines.append({ id: 2 });
    expect(lines.read()).toEqual([{ id: 2 }]);
  });
});
