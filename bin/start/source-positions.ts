import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative } from 'node:path';
import { sourceMapOf } from '../../lib/bundles.ts';

/** Caches known positions, so that a repeated error needs no source map. */
const positions = new Map<string, string>();

/** The source maps for the current stack trace, by bundle. They take up too much memory to be kept longer. */
const maps = new Map<string, SourceMap | undefined>();

/**
 * Returns `<path>:<line>:<column>` with a path relative to the working directory, or undefined if the file is not a bundle of the
 * current code, or of the code before the last reload.
 */
export function sourcePosition(file: string, line: number, column: number): string | undefined {
  const inBundle = `${file}:${line}:${column}`;
  const position = positions.get(inBundle) ?? find(file, line, column);
  if (position) positions.set(inBundle, position);
  return position;
}

function find(file: string, line: number, column: number): string | undefined {
  if (!maps.has(file)) maps.set(file, read(file));
  setImmediate(() => maps.clear());
  // A map counts lines and columns from 0, and a stack trace counts them from 1.
  const entry = maps.get(file)?.findEntry(line - 1, column - 1);
  return entry && 'originalSource' in entry
    ? `${relative('', entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
    : undefined;
}

function read(file: string): SourceMap | undefined {
  try {
    const map = sourceMapOf(readFileSync(file, 'utf8'));
    return map && new SourceMap(map);
  } catch {
    // The bundle or its source map no longer exists.
    return undefined;
  }
}
