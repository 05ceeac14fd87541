import type { Condition } from '../platform/commit.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { type DogState, isIn, type Precondition } from './precondition.ts';
import { findDog } from './read.ts';

/**
 * If the precondition lists several states, reads the dog and keeps only its current state, because DynamoDB limits the number of
 * operands in a condition.
 */
export async function conditionsFor(
  id: string,
  { match, noneMatch, unmodifiedSince }: Precondition,
  context: RequestContext,
): Promise<Condition[]> {
  const hasSeveral = [match, noneMatch].some((states) => Array.isArray(states) && states.length > 1);
  const dog = hasSeveral ? await findDog(id, context) : undefined;
  const oneOf = (states: readonly DogState[] | 'any', suffix: string): Condition => {
    if (states === 'any') return { expression: 'attribute_exists(id)', values: {} };
    const state = hasSeveral ? states.find((one) => isIn(one, dog)) : states[0];
    // The list includes no state, so this expression is never true.
    if (!state) return { expression: '(attribute_not_exists(id) AND attribute_exists(id))', values: {} };
    return {
      // DynamoDB refuses redundant parentheses.
      expression: `(incarnation = :incarnation${suffix} AND version = :version${suffix})`,
      values: { [`:incarnation${suffix}`]: state.incarnation, [`:version${suffix}`]: state.version },
    };
  };
  const conditions: Condition[] = [];
  if (match) conditions.push(oneOf(match, 'Match'));
  if (noneMatch) {
    const { expression, values } = oneOf(noneMatch, 'NoneMatch');
    conditions.push({ expression: `NOT ${expression}`, values });
  }
  if (unmodifiedSince !== undefined)
    conditions.push({
      expression: '(attribute_not_exists(id) OR lastModified <= :unmodifiedSince)',
      values: { ':unmodifiedSince': unmodifiedSince },
    });
  return conditions;
}
