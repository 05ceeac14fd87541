/** The compiled patterns. A template has few policies, so the map stays small. */
const expressions = new Map<string, RegExp>();

/** Returns true if a text matches a pattern of a policy: `*` matches any text, `?` matches one character. */
export function matches(pattern: string, text: string): boolean {
  const expression = expressions.get(pattern) ?? expressionOf(pattern);
  expressions.set(pattern, expression);
  return expression.test(text);
}

function expressionOf(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}
