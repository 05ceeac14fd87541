import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob, resolve } from 'node:path';

const project = resolve(import.meta.dirname, '..');
const ignored = readFileSync(join(project, '.gitignore'), 'utf8').split('\n').filter(Boolean);

/**
 * Returns the paths of the project's files, relative to the project. Leaves out what `.gitignore` lists. Works without Git, because
 * a downloaded archive is not a repository.
 */
export function projectFiles(folder = ''): string[] {
  return readdirSync(join(project, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.name === '.git' || isIgnored(path, entry.name)) return [];
    return entry.isDirectory() ? projectFiles(path) : [path];
  });
}

function isIgnored(path: string, name: string): boolean {
  return ignored.some((pattern) =>
    pattern.startsWith('/')
      ? matchesGlob(path, pattern.slice(1))
      : matchesGlob(name, pattern.replace(/\/$/, '')),
  );
}
