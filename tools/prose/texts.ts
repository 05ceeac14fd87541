import tokens from 'js-tokens';

export interface ReadText {
  /** The number of the line on which the text begins, from 1. */
  readonly line: number;
  readonly text: string;
}

const proseTokens = new Set([
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

/**
 * Returns the text in a file that people read: in code, the comments, strings, JSX text, and names (with spaces between their
 * words); in any other file, everything.
 */
export function textsOf(path: string, content: string): ReadText[] {
  const [, jsx] = /\.[cm]?[jt]s(x?)$/.exec(path) ?? [];
  return jsx === undefined ? [{ line: 1, text: content }] : textsOfCode(content, jsx === 'x');
}

function textsOfCode(code: string, jsx: boolean): ReadText[] {
  const texts: ReadText[] = [];
  let line = 1;
  for (const { type, value } of tokens(code, { jsx })) {
    if (proseTokens.has(type)) texts.push({ line, text: value });
    if (type === 'IdentifierName') texts.push({ line, text: wordsOf(value) });
    line += value.match(/\n/g)?.length ?? 0;
  }
  return texts;
}

function wordsOf(name: string): string {
  return name.replace(/_/g, ' ').replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ');
}
