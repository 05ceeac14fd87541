/** An exact string, the beginning of a string, or whether the field exists. */
type Comparison = string | { readonly prefix: string } | { readonly exists: boolean };

/** An EventBridge event pattern. The filters of Lambda's event source mappings have the same syntax. */
export type Pattern = { readonly [field: string]: Pattern | readonly Comparison[] };

/**
 * @param logicalId the pattern's owner, for the error message
 * @throws Error if a comparison is not a string, a prefix or `exists`
 * @see {@link https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html Comparison operators}
 */
export function checkedPattern(pattern: object, logicalId: string): Pattern {
  for (const value of Object.values(pattern)) {
    if (!Array.isArray(value)) checkedPattern(Object(value), logicalId);
    else if (!value.every(isComparison))
      throw new Error(
        `${logicalId}: the local cloud supports only strings, prefix and exists in event patterns.`,
      );
  }
  return pattern as Pattern;
}

function isComparison(value: unknown): value is Comparison {
  if (typeof value === 'string') return true;
  const [[operator, operand] = [], ...rest] = Object.entries(Object(value));
  if (rest.length > 0) return false;
  return (
    (operator === 'prefix' && typeof operand === 'string') ||
    (operator === 'exists' && typeof operand === 'boolean')
  );
}

/** A list in the event matches if one of its items matches. */
export function matchesPattern(pattern: Pattern, event: unknown): boolean {
  return Object.entries(pattern).every(([field, expected]) => {
    const value = (event as Readonly<Record<string, unknown>> | null | undefined)?.[field];
    if (!isComparisons(expected)) return matchesPattern(expected, isObject(value) ? value : undefined);
    return expected.some((comparison) => matchesValue(comparison, value));
  });
}

function isComparisons(expected: Pattern | readonly Comparison[]): expected is readonly Comparison[] {
  return Array.isArray(expected);
}

function matchesValue(comparison: Comparison, value: unknown): boolean {
  if (typeof comparison === 'string') return [value].flat().includes(comparison);
  // For `exists`, only leaves count, not objects.
  if ('exists' in comparison) return comparison.exists === (value !== undefined && !isObject(value));
  return [value].flat().some((item) => typeof item === 'string' && item.startsWith(comparison.prefix));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
