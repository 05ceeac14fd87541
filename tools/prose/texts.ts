import tokens from 'js-tokens';

/** A part of a file that people read: prose, or a name in the code with a space before each capital letter. */
export interface ReadText {
  readonly kind: 'prose' | 'name';
  /** The line of the file at which the text begins, from 1. */
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

/** Returns the parts of a file that people read: the comments, strings and names of code, and all of any other file. */
export function textsOf(path: string, content: string): ReadText[] {
  const [, jsx] = /\.[cm]?[jt]s(x?)$/.exec(path) ?? [];
  return jsx === undefined ? [{ kind: 'prose', line: 1, text: content }] : textsOfCode(content, jsx === 'x');
}

function textsOfCode(code: string, jsx: boolean): ReadText[] {
  const texts: ReadText[] = [];
  let line = 1;
  for (const { type, value } of tokens(code, { jsx })) {
    if (proseTokens.has(type)) texts.push({ kind: 'prose', line, text: value });
    if (type === 'IdentifierName') texts.push({ kind: 'name', line, text: wordsOf(value) });
    line += value.match(/\n/g)?.length ?? 0;
  }
  return texts;
}

function wordsOf(name: string): string {
  return name.replace(/_/g, ' ').replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ');
}
