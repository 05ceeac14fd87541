type Expected = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

const scalar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/;

/** The group is empty if the string contains an invalid part or lacks its closing quote. */
const string = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*("?)/u;

/** White space and a token, which is empty at the end of the text and where no token begins. */
const tokens = new RegExp(`[ \\t\\r\\n]*([[\\]{}:,]|${scalar.source}|${string.source}|)`, 'guy');

/**
 * Describes the first error in a JSON text (RFC 8259), such as `unexpected "}" at line 3, column 5`. Returns
 * undefined for valid JSON. Columns count code points. The messages of `JSON.parse` are no substitute: they are not stable,
 * and many have no position. Not recursive, because a deeply nested text could overflow the call stack.
 */
export function jsonSyntaxError(text: string): string | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  for (const { index, 0: match, 1: token = '', 2: closingQuote } of text.matchAll(tokens)) {
    const start = index + match.length - token.length;
    if (start === text.length && expected === 'nothing') break;
    const next = expectedAfter(token, expected, open);
    if (next === undefined) return unexpected(text, start);
    if (closingQuote === '') return unexpected(text, start + token.length);
    expected = next;
  }
  return undefined;
}

/** @param open the closing characters of the open arrays and objects. The function updates this list */
function expectedAfter(token: string, expected: Expected, open: string[]): Expected | undefined {
  switch (token[0]) {
    case undefined:
      return undefined;
    case ',':
      if (expected !== 'commaOrEnd') return undefined;
      return open.at(-1) === ']' ? 'value' : 'name';
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    case ']':
    case '}':
      if (!expected.endsWith('OrEnd') || open.pop() !== token) return undefined;
      break;
    case '"':
      if (expected.startsWith('name')) return 'colon';
      if (!expected.startsWith('value')) return undefined;
      break;
    default:
      if (!expected.startsWith('value')) return undefined;
      if (token !== '[' && token !== '{') break;
      open.push(token === '[' ? ']' : '}');
      return token === '[' ? 'valueOrEnd' : 'nameOrEnd';
  }
  return open.length > 0 ? 'commaOrEnd' : 'nothing';
}

function unexpected(text: string, position: number): string {
  const lines = text.slice(0, position).split(/\r\n|\r|\n/);
  const column = [...(lines.at(-1) ?? '')].length + 1;
  const character = String.fromCodePoint(text.codePointAt(position) ?? 0);
  return `unexpected ${position === text.length ? 'end of input' : shown(character)} at line ${lines.length}, column ${column}`;
}

/** Shows an invisible character as its code point. */
function shown(character: string): string {
  if (character === '\ufffd') return 'U+FFFD, which replaces bytes that are not UTF-8,';
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)) return character === '"' ? `'"'` : `"${character}"`;
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}
