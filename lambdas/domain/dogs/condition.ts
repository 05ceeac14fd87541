import type { RequestContext } from '../platform/request-context.ts';
import type { Condition } from './change.ts';
import { type DogState, hasSeveralStates, narrowPrecondition, type Precondition } from './precondition.ts';
import { findDog } from './read.ts';

/**
 * If the precondition lists several states, reads the dog and keeps only its current state, because DynamoDB limits the number of
 * operands in a condition.
 */
export async function conditionFor(
  id: string,
  precondition: Precondition,
  context: RequestContext,
): Promise<Condition> {
  if (!hasSeveralStates(precondition)) return conditionOf(precondition);
  return conditionOf(narrowPrecondition(precondition, await findDog(id, context)));
}

/** Each list in the precondition must contain at most one state. */
function conditionOf({ match, noneMatch, unmodifiedSince }: Precondition): Condition {
  const expressions: string[] = [];
  const values: Record<string, unknown> = {};
  const oneOf = (states: readonly DogState[], suffix: string) => {
    const [state] = states;
    // An empty list includes no state, so this expression is never true.
    if (!state) return 'attribute_not_exists(id) AND attribute_exists(id)';
    Object.assign(values, {
      [`:incarnation${suffix}`]: state.incarnation,
      [`:version${suffix}`]: state.version,
    });
    return `incarnation = :incarnation${suffix} AND version = :version${suffix}`;
  };
  // DynamoDB refuses redundant parentheses.
  if (match) expressions.push(match === 'any' ? 'attribute_exists(id)' : `(${oneOf(match, 'Match')})`);
  if (noneMatch)
    expressions.push(
      noneMatch === 'any' ? 'attribute_not_exists(id)' : `NOT (${oneOf(noneMatch, 'NoneMatch')})`,
    );
  if (unmodifiedSince !== undefined) {
    expressions.push('(attribute_not_exists(id) OR lastModified <= :unmodifiedSince)');
    values[':unmodifiedSince'] = unmodifiedSince;
  }
  return { expressions, values };
}
