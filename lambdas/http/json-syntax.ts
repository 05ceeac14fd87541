/** What can come next in a JSON text, apart from white space. */
type Expected = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

interface Scan {
  readonly text: string;
  position: number;
  expected: Expected;
  readonly open: (']' | '}')[];
}

/** A string from its opening quote to before the closing quote or the first invalid part. */
const stringStart = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy;
const scalar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
const whiteSpace = /[ \t\r\n]*/y;

/**
 * Describes the first error in a JSON text (RFC 8259), such as `unexpected "}" at line 3, column 5`. A column is one
 * code point. The messages of `JSON.parse` are not stable, and many have no position. Not recursive, because a text can
 * be nested deeper than the call stack.
 */
export function jsonSyntaxError(text: string): string | undefined {
  const scan: Scan = { text, position: 0, expected: 'value', open: [] };
  for (;;) {
    scan.position += lengthOf(whiteSpace, scan);
    if (scan.position === text.length && scan.expected === 'nothing') return undefined;
    if (!(readStructure(scan) || readString(scan) || readScalar(scan))) return described(scan);
  }
}

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

/** In UTF-16 code units. The pattern must be sticky. */
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

/** A character that is not visible is shown as its code point. */
function shown(character: string): string {
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)) return character === '"' ? `'"'` : `"${character}"`;
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}
