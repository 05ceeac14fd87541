/** The compiled patterns. This map stays small, because templates and authorizers have few patterns. */
const expressions = new Map<string, RegExp>();

/** Returns true if a text matches a policy's pattern, in which `*` matches any text and `?` matches one UTF-16 code unit. */
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
