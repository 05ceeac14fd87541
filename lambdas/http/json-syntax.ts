/** What can come next in a JSON text, apart from white space. */
type Expected = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

interface Scan {
  readonly text: string;
  /** The index of the next UTF-16 code unit to read. */
  position: number;
  expected: Expected;
  /** The closing characters of the open arrays and objects, from the outermost to the innermost. */
  readonly open: (']' | '}')[];
}

/** Matches a string from its opening quote. The match ends before the closing quote, or before the first invalid part. */
const stringStart = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy;
const scalar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
const whiteSpace = /[ \t\r\n]*/y;

/**
 * Describes the first error in the JSON syntax of a text, such as `unexpected "}" at line 3, column 5`. Lines and columns begin
 * at 1, and a column is one Unicode code point.
 *
 * The messages of `JSON.parse` are not stable, and many have no position, so this function scans the text itself. It is not
 * recursive, because a text can be nested deeper than the call stack.
 *
 * @returns the description, or undefined if the text is JSON
 * @see {@link https://www.rfc-editor.org/rfc/rfc8259 RFC 8259}
 */
export function jsonSyntaxError(text: string): string | undefined {
  const scan: Scan = { text, position: 0, expected: 'value', open: [] };
  for (;;) {
    scan.position += lengthOf(whiteSpace, scan);
    if (scan.position === text.length && scan.expected === 'nothing') return undefined;
    if (!(readStructure(scan) || readString(scan) || readScalar(scan))) return described(scan);
  }
}

/** Reads a structural character: a bracket, a brace, a comma or a colon. Returns false if the text has no valid one here. */
function readStructure(scan: Scan): boolean {
  const character = scan.text[scan.position] ?? '';
  if (!takeStructure(scan, character)) return false;
  scan.position += 1;
  return true;
}

function takeStructure(scan: Scan, character: string): boolean {
  const { expected, open } = scan;
  switch (character) {
    case '[':
    case '{':
      if (!expectsValue(scan)) return false;
      open.push(character === '[' ? ']' : '}');
      scan.expected = character === '[' ? 'valueOrEnd' : 'nameOrEnd';
      return true;
    case ']':
    case '}':
      if (!expected.endsWith('OrEnd') || open.at(-1) !== character) return false;
      open.pop();
      endValue(scan);
      return true;
    case ',':
      if (expected !== 'commaOrEnd') return false;
      scan.expected = open.at(-1) === ']' ? 'value' : 'name';
      return true;
    case ':':
      if (expected !== 'colon') return false;
      scan.expected = 'value';
      return true;
    default:
      return false;
  }
}

function readString(scan: Scan): boolean {
  const isName = scan.expected.startsWith('name');
  if (scan.text[scan.position] !== '"' || !(isName || expectsValue(scan))) return false;
  scan.position += lengthOf(stringStart, scan);
  if (scan.text[scan.position] !== '"') return false;
  scan.position += 1;
  if (isName) scan.expected = 'colon';
  else endValue(scan);
  return true;
}

function readScalar(scan: Scan): boolean {
  const length = expectsValue(scan) ? lengthOf(scalar, scan) : 0;
  if (length === 0) return false;
  scan.position += length;
  endValue(scan);
  return true;
}

function expectsValue({ expected }: Scan): boolean {
  return expected.startsWith('value');
}

function endValue(scan: Scan): void {
  scan.expected = scan.open.length > 0 ? 'commaOrEnd' : 'nothing';
}

/** Returns the length of the match of a sticky pattern at the position of the scan, in UTF-16 code units. */
function lengthOf(pattern: RegExp, { text, position }: Scan): number {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0].length ?? 0;
}

function described({ text, position }: Scan): string {
  const lines = text.slice(0, position).split(/\r\n|\r|\n/);
  const column = [...(lines.at(-1) ?? '')].length + 1;
  const character = String.fromCodePoint(text.codePointAt(position) ?? 0);
  return `unexpected ${position === text.length ? 'end of input' : shown(character)} at line ${lines.length}, column ${column}`;
}

/** Returns a character in quotes, or its code point if it is not visible. */
function shown(character: string): string {
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)) return character === '"' ? `'"'` : `"${character}"`;
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}
