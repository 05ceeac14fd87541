import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readCommandLine } from '../lib/command-line.ts';

/** The new word for each old word, both in lowercase letters. */
export type Words = ReadonlyMap<string, string>;

/**
 * Files that a rename does not change: npm corrects the name in package-lock.json, the license is not ours to change, and the
 * others mention new words as examples.
 */
const kept =
  /(?:^|\/)package-lock\.json$|^LICENSE$|^CHANGELOG\.md$|^docs\/your-own-service\.md$|^(?:test\/)?tools\/rename\./;

/**
 * Reads parameters of the form `dog=ticket`, and adds plurals. Only irregular plurals need parameters of their own.
 *
 * @throws Error if there is no parameter, if one has another form, or if two old words have the same new word
 */
export function wordsOf(parameters: readonly string[]): Words {
  const words = new Map<string, string>();
  for (const parameter of parameters) {
    const [, from, to] = /^([a-z]+)=([a-z]+)$/.exec(parameter) ?? [];
    if (!from || !to)
      throw new Error(`"${parameter}" must be two words in lowercase letters, such as dog=ticket.`);
    words.set(from, to);
  }
  if (words.size === 0) throw new Error('Give each word that changes, such as dog=ticket.');
  for (const [from, to] of [...words])
    if (!words.has(pluralOf(from)) && !/(?:s|ed|ing)$/.test(from)) words.set(pluralOf(from), pluralOf(to));
  if (new Set(words.values()).size < words.size) throw new Error('Each word needs a new word of its own.');
  return words;
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The spellings of a word: `dogId` and `last-dog`, `newDog` and `Dogs`, `DOG_ID`. The dog in "watchdog" does not count. */
const spellings = [
  // The letter before the word can belong to `\b`, `\n` or `%2B`.
  { of: (word: string) => word, before: '(?:(?<![A-Za-z])|(?<=\\\\[bn]|%[0-9A-F]{2}))', after: '(?![a-z])' },
  { of: capitalized, before: '(?<![A-Z])', after: '(?![a-z])' },
  { of: (word: string) => word.toUpperCase(), before: '(?<![A-Za-z])', after: '(?![A-Za-z])' },
];

/** Replaces the words in all spellings, and changes "a" to "an" where a new word requires it. */
export function renamed(text: string, words: Words): string {
  const replacements = new Map(
    spellings.flatMap(({ of }) => [...words].map(([from, to]) => [of(from), of(to)] as const)),
  );
  const article = '(?:(?<=\\b[Aa])(?<gap> [`"]?))?';
  const pattern = spellings
    .map(({ of, before, after }) => `${before}(?:${[...words.keys()].map(of).join('|')})${after}`)
    .join('|');
  return text.replace(new RegExp(`${article}(?<word>${pattern})`, 'g'), (...match) => {
    const { gap = '', word } = match.at(-1) as { gap?: string; word: string };
    const replacement = replacements.get(word) ?? word;
    const needsN = gap !== '' && /^[aeiou]/i.test(replacement) && !/^[aeiou]/i.test(word);
    return `${needsN ? 'n' : ''}${gap}${replacement}`;
  });
}

/** Returns true if the text already contains a new word. After a rename, nobody could tell it from a renamed word. */
export function hasNewWord(text: string, words: Words): boolean {
  const ofNewWords = new Map([...words.values()].map((to) => [to, `${to}x`]));
  return renamed(text, ofNewWords) !== text;
}

function rename(parameters: readonly string[]): void {
  const words = wordsOf(parameters);
  const project = resolve(import.meta.dirname, '..');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, encoding: 'utf8' });
  if (git('status', '--porcelain') !== '')
    throw new Error('Commit your changes first, so that you can undo the rename.');
  const files = git('ls-files', '-z')
    .split('\0')
    .filter((path) => path !== '' && !kept.test(path));
  const texts = files.flatMap((path) => {
    const text = readFileSync(join(project, path), 'utf8');
    return text.includes('\0') ? [] : [{ path, text }];
  });
  const taken = texts.filter(({ path, text }) => hasNewWord(path, words) || hasNewWord(text, words));
  if (taken.length > 0)
    throw new Error(
      `Choose other words. These files already contain one: ${taken.map(({ path }) => path).join(', ')}`,
    );
  for (const { path, text } of texts) writeFileSync(join(project, path), renamed(text, words));
  for (const path of files) {
    const target = join(project, renamed(path, words));
    mkdirSync(dirname(target), { recursive: true });
    renameSync(join(project, path), target);
  }
  console.log(
    `Renamed ${[...words].map(([from, to]) => `${from} to ${to}`).join(', ')} in ${files.length} files.`,
  );
}

const usage = `npm run rename -- <old>=<new> …

Replaces words in all files and their names, in all spellings and with their plurals. An irregular plural needs a parameter of its own:
npm run rename -- dog=ticket bark=reply barked=replied`;

if (process.argv[1] === import.meta.filename) {
  try {
    rename(readCommandLine(usage, {}, true).positionals);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
