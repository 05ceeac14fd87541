/** What patterns mean, once they were needed: those of policies, of which there are few. */
const expressions = new Map<string, RegExp>();

/** Whether a text is as a policy has it: `*` stands for any text, `?` for one character. */
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
