import type { ByKind, Kind, Setting } from '../../lambdas/contract/dog-settings.ts';

/** How an option contains a value. What is not a value stays text, so that the service says what is wrong. */
const parsers: Readonly<Record<Kind, (text: string) => unknown>> = {
  text: (text) => text,
  integer: (text) => (/^-?\d+$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === '' ? text : text === 'true'),
  choice: (text) => text,
  choices: (text) => text.split(','),
  texts: (text) => text.split(/ *, */),
};

export function valueIn({ kind }: Setting, text: string): unknown {
  return parsers[kind](text);
}

const words: ByKind<readonly string[] | undefined> = {
  text: () => undefined,
  integer: () => undefined,
  boolean: () => ['true', 'false'],
  choice: ({ choices }) => choices,
  choices: () => undefined,
  texts: () => undefined,
};

/** Returns the only texts that the option accepts, for completion in a shell. Undefined if there are others. */
export function wordsOf(setting: Setting): readonly string[] | undefined {
  return words[setting.kind](setting as never);
}
