/** Returns the lines of a text without the spaces that align its columns. */
export function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.replace(/ {2,}/g, ' '));
}
