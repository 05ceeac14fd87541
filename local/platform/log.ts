/** Writes a line to the terminal. */
export function log(line: string): void {
  console.log(line);
}
