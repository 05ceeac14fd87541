import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the path of a file in the data directory of the service on this machine. */
export function localFile(name: string): string {
  return join(process.env.DATA_DIR || '.local', name);
}

/** Returns the content of a JSON file in that directory; undefined if the file cannot be read or is not JSON. */
export function localDocument(name: string): unknown {
  try {
    return JSON.parse(readFileSync(localFile(name), 'utf8'));
  } catch {
    return undefined;
  }
}
