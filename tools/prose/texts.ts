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
  'JSXString',
  'JSXText',
]);

/** Returns the parts of a file that people read: the comments and strings of code, and all of any other file. */
export function proseOf(path: string, content: string): Prose[] {
  const [, jsx] = /\.[cm]?[jt]s(x?)$/.exec(path) ?? [];
  return jsx === undefined ? [{ line: 1, text: content }] : commentsAndStringsOf(content, jsx === 'x');
}

function commentsAndStringsOf(code: string, jsx: boolean): Prose[] {
  const prose: Prose[] = [];
  let line = 1;
  for (const { type, value } of tokens(code, { jsx })) {
    if (readTokens.has(type)) prose.push({ line, text: value });
    line += value.match(/\n/g)?.length ?? 0;
  }
  return prose;
}
