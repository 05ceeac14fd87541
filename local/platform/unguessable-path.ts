import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { DataDirectory } from './data-directory.ts';

/** The file with the paths that survive restarts. Only its owner can read it. */
const file = 'paths.json';

/** Returns a path that begins with 256 random bits. */
export function unguessablePath(): string {
  return `/${randomBytes(32).toString('base64url')}`;
}

/**
 * Returns an unguessable path that is the same after a restart, so that a browser can continue to use it.
 *
 * @param name what the path leads to
 */
export function keptPath(directory: DataDirectory, name: string): string {
  const paths = read(directory.file(file));
  const path = paths[name] ?? unguessablePath();
  if (paths[name] === undefined) directory.write(file, { ...paths, [name]: path });
  return path;
}

/** Returns the paths in the file by name. A path that is damaged or was shortened by a user is not returned. */
function read(path: string): Record<string, string> {
  try {
    const entries = Object.entries(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => isPath(entry[1])));
  } catch {
    return {};
  }
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && /^\/[\w-]{43}$/.test(value);
}
