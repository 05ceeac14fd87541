import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { synthesized } from './prepare.ts';

/** Returns the text of a file that a function of the prepared stack serves. */
export function servedFile(name: string): string {
  const [path = ''] = globSync(`asset.*/${name}`, { cwd: synthesized });
  return readFileSync(join(synthesized, path), 'utf8');
}
