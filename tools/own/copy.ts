import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, matchesGlob, posix, resolve } from 'node:path';
import { projectFiles } from '../files.ts';
import { hasNewWord, renamed, type Words } from '../rename.ts';
import { extensions, filesWithout, project as ofProject } from './extensions.ts';
import { withoutExtensions } from './marks.ts';

const project = resolve(import.meta.dirname, '../..');

/** npm owns lock files, and the license is not ours to change. */
const isUnchanged = (path: string, bytes: Buffer) =>
  bytes.includes(0) || /(?:^|\/)(?:LICENSE|package-lock\.json)$/.test(path);

/** `generate` in `run.ts` writes these again. */
const isGenerated = (path: string) =>
  /\.snap$|^client\/(?:schema\.ts|events\.schema\.json)$|^stages\/settings\.schema\.json$/.test(path);

const matches = (path: string, pattern: string) =>
  path.startsWith(`${pattern}/`) || matchesGlob(path, pattern);

/** A Markdown link to a file that the copy lacks becomes its text. */
function withoutDeadLinks(text: string, path: string, paths: readonly string[]): string {
  return text.replace(/(!?)\[([^\]]*)\]\(([^)#:]+)(?:#[^)]*)?\)/g, (link, image, label, target) => {
    const file = posix.join(posix.dirname(path), target).replace(/\/$/, '');
    if (paths.some((other) => other === file || other.startsWith(`${file}/`))) return link;
    return image ? '' : label;
  });
}

/** Returns the path of each file in a copy, and of the file from which it is made. Those in `texts` replace files of this project. */
function filesOf(left: readonly string[]): { path: string; source: string }[] {
  const all = projectFiles();
  const patterns = [...ofProject, ...filesWithout(left).flatMap(({ files }) => files)];
  const unused = patterns.find((pattern) => !all.some((path) => matches(path, pattern)));
  if (unused !== undefined) throw new Error(`tools/own/extensions.ts: no file matches "${unused}".`);
  const texts = join(import.meta.dirname, 'texts');
  return [
    ...all
      .filter((path) => !patterns.some((pattern) => matches(path, pattern)))
      .map((path) => ({ path, source: join(project, path) })),
    ...readdirSync(texts).map((path) => ({ path, source: join(texts, path) })),
  ];
}

/** Returns the lines that name an extension that is not kept, with their places in this project. */
function linesWithWords(text: string, original: string, path: string, left: readonly string[]): string[] {
  const originals = original.split('\n');
  const placeOf = (line: string) => `${path}:${originals.findIndex((one) => one.startsWith(line)) + 1}`;
  return left.flatMap((name) => {
    const found = text.split('\n').filter((line) => extensions[name]?.words.test(line));
    return found.map((line) => `${placeOf(line)} names "${name}": ${line.trim()}`);
  });
}

/** @throws Error that names the lines to change if a text has a new word already, or names an extension that is not kept */
export function copyFiles(folder: string, words: Words, left: readonly string[]): void {
  const names = [...Object.keys(extensions), 'project'];
  const kept = Object.fromEntries(names.map((name) => [name, name !== 'project' && !left.includes(name)]));
  const files = filesOf(left);
  const paths = files.map(({ path }) => path);
  const problems: string[] = [];
  for (const { path, source } of files) {
    const target = join(folder, renamed(path, words));
    mkdirSync(dirname(target), { recursive: true });
    const bytes = readFileSync(source);
    if (isUnchanged(path, bytes)) writeFileSync(target, bytes);
    else {
      const original = bytes.toString();
      const own = withoutExtensions(original, path, kept);
      const text = path.endsWith('.md') ? withoutDeadLinks(own, path, paths) : own;
      if (!isGenerated(path)) problems.push(...linesWithWords(text, original, path, left));
      if (hasNewWord(text, words)) problems.push(`${path} already contains one of the new words.`);
      writeFileSync(target, renamed(text, words));
    }
    chmodSync(target, statSync(source).mode);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
