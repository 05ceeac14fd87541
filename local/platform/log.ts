/** Tells the person at the terminal what is going on, a line each. */
export function log(line: string): void {
  console.log(line);
}
