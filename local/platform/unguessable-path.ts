import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { DataDirectory } from './data-directory.ts';
import { parseJson } from './json.ts';
import { log } from './log.ts';

const file = 'paths.json';

/** Returns a path with 256 random bits, in base64url. */
export function unguessablePath(): string {
  return `/${randomBytes(32).toString('base64url')}`;
}

/** The path is the same after a restart, so that a browser can continue to use it. */
export function keptPath(directory: DataDirectory, name: string): string {
  const paths = read(directory.file(file));
  const path = paths[name] ?? unguessablePath();
  if (paths[name] === undefined) directory.write(file, { ...paths, [name]: path });
  return path;
}

/** Skips a path that is damaged or that a user has shortened. */
function read(path: string): Record<string, string> {
  const paths = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : {};
  const entries = Object.entries(paths ?? {});
  const valid = entries.filter((entry): entry is [string, string] => isPath(entry[1]));
  if (!paths || valid.length < entries.length)
    log(`${path} is damaged. Pages such as the inbox may have new URLs.`);
  return Object.fromEntries(valid);
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && /^\/[\w-]{43}$/.test(value);
}
