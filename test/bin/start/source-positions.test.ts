import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sourcePosition } from '../../../bin/start/source-positions.ts';
import { bundle } from '../../../lib/bundles.ts';
import { entries } from '../../../lib/entries.ts';

const directory = mkdtempSync(join(tmpdir(), 'positions-'));

/** Copies the bundle of a function as a deployment does. Returns where in the copy the function throws an error. */
function copyWith(name: string, addition = ''): [file: string, line: number, column: number] {
  const code = readFileSync(join(bundle(entries).get('jobs/authorizer.ts') ?? '', 'main.cjs'), 'utf8');
  const file = join(directory, name);
  writeFileSync(file, code + addition);
  const lines = code.slice(0, code.indexOf('new Error("Unauthorized")')).split('\n');
  return [file, lines.length, (lines.at(-1) ?? '').length + 1];
}

afterAll(() => rmSync(directory, { recursive: true }));

describe('The position in the source of a bundle', () => {
  test('is the path, line and column of the TypeScript code', () => {
    const source = readFileSync('lambdas/jobs/authorizer.ts', 'utf8').split('\n');
    const text = "throw new Error('Unauthorized')";
    const line = source.findIndex((line) => line.includes(text)) + 1;
    const column = (source[line - 1] ?? '').indexOf(text) + 'throw '.length + 1;
    expect(sourcePosition(...copyWith('main.cjs'))).toBe(`lambdas/jobs/authorizer.ts:${line}:${column}`);
  });

  test('is unknown for other code', async () => {
    expect(sourcePosition(...copyWith('other.cjs', ' '))).toBeUndefined();
    await setImmediate();
    expect(sourcePosition(...copyWith('other.cjs'))).toMatch(/^lambdas\/jobs\/authorizer\.ts:/);
  });

  test('is unknown if the file does not exist', () => {
    expect(sourcePosition(join(directory, 'missing.cjs'), 1, 1)).toBeUndefined();
  });
});
