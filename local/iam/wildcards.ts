/** The compiled patterns. This map stays small, because a template has few policies. */
const expressions = new Map<string, RegExp>();

/** Returns true if a text matches a policy's pattern, in which `*` matches any text and `?` matches one character. */
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
