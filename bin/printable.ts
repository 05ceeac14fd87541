/**
 * What moves the cursor, changes the terminal or the order of its text, or ends a line: control characters, bidirectional controls,
 * line and paragraph separators, and halves of surrogate pairs.
 */
const unprintable = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Returns text that cannot control a terminal, as one line. For text that other people or programs wrote. */
export function printable(text: string): string {
  return text.replaceAll('\t', '  ').replace(unprintable, '\u{fffd}');
}

/** Does the same for each line of the text. */
export function printableLines(text: string): string {
  return text.split(/\r?\n/).map(printable).join('\n');
}

/** Returns JSON that cannot control a terminal, and has the same value. */
export function printableJson(value: unknown, indentation?: number): string {
  return JSON.stringify(value, null, indentation).replace(unprintable, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
