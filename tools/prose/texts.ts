import tokens from 'js-tokens';

/** A part of a file that people read. */
export interface Prose {
  /** The line of the file at which the text begins, from 1. */
  readonly line: number;
  readonly text: string;
}

const readTokens = new Set([
  'MultiLineComment',
  'SingleLineComment',
  'StringLiteral',
  'NoSubstitutionTemplate',
  'TemplateHead',
  'TemplateMiddle',
  'TemplateTail',
]);

/** Returns the parts of a file that people read: the comments and strings of code, and all of any other file. */
export function proseOf(path: string, content: string): Prose[] {
  return /\.[cm]?[jt]s$/.test(path) ? commentsAndStringsOf(content) : [{ line: 1, text: content }];
}

function commentsAndStringsOf(code: string): Prose[] {
  const prose: Prose[] = [];
  let line = 1;
  for (const { type, value } of tokens(code)) {
    if (readTokens.has(type)) prose.push({ line, text: value });
    line += value.match(/\n/g)?.length ?? 0;
  }
  return prose;
}
