import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readCommandLine } from '../lib/command-line.ts';

/** The new word for each old word, all in lowercase letters. */
export interface Words {
  /** Nouns, and forms of the verb that no noun has. */
  readonly words: ReadonlyMap<string, string>;
  /** The forms of the verb that are also those of the noun: "to bark", "the dog barks". */
  readonly verbs: ReadonlyMap<string, string>;
}

/**
 * Files that a rename does not change: npm corrects the name in package-lock.json, the license is not ours to change, and the
 * others mention new words as examples.
 */
const kept =
  /(?:^|\/)package-lock\.json$|^LICENSE$|^CHANGELOG\.md$|^docs\/your-own-service\.md$|^\.ci\/own$|^(?:test\/)?tools\/(?:own\/run|rename)\./;

/**
 * Reads parameters of the form `dog=ticket` or, with a verb, `bark=reminder:remind`, and adds plurals and verb forms. Only irregular
 * forms need parameters of their own.
 *
 * @throws Error if there is no parameter, if one has another form, or if two old words have the same new word
 */
export function wordsOf(parameters: readonly string[]): Words {
  const [words, verbs] = [new Map<string, string>(), new Map<string, string>()];
  for (const parameter of parameters) {
    const [, from, to, verb] = /^([a-z]+)=([a-z]+)(?::([a-z]+))?$/.exec(parameter) ?? [];
    if (!from || !to)
      throw new Error(
        `"${parameter}" must be two words in lowercase letters, such as dog=ticket, and can have a verb, such as bark=reminder:remind.`,
      );
    words.set(from, to);
    if (verb) verbs.set(from, verb).set(pluralOf(from), pluralOf(verb));
  }
  if (words.size === 0) throw new Error('Give each word that changes, such as dog=ticket.');
  const add = (from: string, to: string) => {
    if (!words.has(from)) words.set(from, to);
  };
  for (const [from, verb] of [...verbs].filter(([form]) => words.has(form))) {
    add(`${from}ed`, `${verb.replace(/e$/, '')}ed`);
    add(`${from}ing`, `${verb.replace(/e$/, '')}ing`);
  }
  for (const [from, to] of [...words]) if (!/(?:s|ed|ing)$/.test(from)) add(pluralOf(from), pluralOf(to));
  if (new Set(words.values()).size < words.size) throw new Error('Each word needs a new word of its own.');
  return { words, verbs };
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

/** The space between two words of a sentence, which can continue in the next line of a comment. */
const gap = String.raw`(?:[ \t]+|\s*\n\s*(?:\*|//|#)?\s*)`;

/** What comes before a form of the verb: after some words, only "bark" is one, and after others, only "barks". */
const beforeVerb = [
  `(?<=\\b(?:[Dd]og|it|It|who|which|never|always)${gap})`,
  `(?<=\\b(?:to|not|does|did|must|can|cannot|could|may|might|should|will|would)${gap})(?!\\w+s\\b)`,
  `(?<=\\bthat${gap})(?=\\w+s\\b)`,
].join('|');

/** Replaces the words in all spellings, and changes "a" to "an" where a new word requires it. */
export function renamed(text: string, { words, verbs }: Words): string {
  return withNouns(withVerbs(text, verbs), words);
}

function withVerbs(text: string, verbs: Words['verbs']): string {
  if (verbs.size === 0) return text;
  const forms = [...verbs.keys()].join('|');
  const pattern = new RegExp(`(?:${beforeVerb})(?:${forms})\\b(?![-_])|\\b(?:${forms})\\b(?= again\\b)`, 'g');
  return text.replace(pattern, (form) => verbs.get(form) ?? form);
}

function withNouns(text: string, words: Words['words']): string {
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
  const ofNewWords = new Map([...words.words.values(), ...words.verbs.values()].map((to) => [to, `${to}x`]));
  return withNouns(text, ofNewWords) !== text;
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
    `Renamed ${[...words.words].map(([from, to]) => `${from} to ${to}`).join(', ')} in ${files.length} files.`,
  );
}

const usage = `npm run rename -- <old>=<new>[:<verb>] …

Replaces words in all files and their names, in all spellings, with their plurals and the forms of the verb. Give irregular forms
as words of their own:
npm run rename -- dog=ticket bark=reminder:remind
npm run rename -- dog=ticket bark=message:send barked=sent`;

if (process.argv[1] === import.meta.filename) {
  try {
    rename(readCommandLine(usage, {}, true).positionals);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
