const numbers = new Intl.NumberFormat('en');

/** Returns text such as "1 bark" or "10,000 barks". */
export function counted(count: number, thing: string): string {
  return `${numbers.format(count)} ${thing}${count === 1 ? '' : 's'}`;
}
