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

  test('keeps the items before and after a line that a kill or a full disk has cut off', () => {
    new JsonLines<{ id: number }>(file).append({ id: 1 });
    appendFileSync(file, '{"id":');
    new JsonLines<{ id: number }>(file).append({ id: 3 });
    const logged = jest.spyOn(console, 'log').mockImplementation(() => {});
    expect(new JsonLines(file).read()).toEqual([{ id: 1 }, { id: 3 }]);
    expect(logged).toHaveBeenCalledWith(`${file} has 1 incomplete line, which the service skips.`);
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
