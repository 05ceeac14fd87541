/** Returns true if a text matches a policy's pattern, in which `*` matches any text and `?` matches one UTF-16 code unit. */
export function matches(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}
