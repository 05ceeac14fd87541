import type { Condition } from '../platform/commit.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { type DogState, hasSeveralStates, narrowPrecondition, type Precondition } from './precondition.ts';
import { findDog } from './read.ts';

/**
 * If the precondition lists several states, reads the dog and keeps only its current state, because DynamoDB limits the number of
 * operands in a condition.
 */
export async function conditionsFor(
  id: string,
  precondition: Precondition,
  context: RequestContext,
): Promise<Condition[]> {
  if (!hasSeveralStates(precondition)) return conditionsOf(precondition);
  return conditionsOf(narrowPrecondition(precondition, await findDog(id, context)));
}

/** Each list in the precondition must contain at most one state. */
function conditionsOf({ match, noneMatch, unmodifiedSince }: Precondition): Condition[] {
  const conditions: Condition[] = [];
  // DynamoDB refuses redundant parentheses.
  if (match === 'any') conditions.push({ expression: 'attribute_exists(id)', values: {} });
  else if (match) conditions.push(oneOf(match, 'Match', (isIn) => `(${isIn})`));
  if (noneMatch === 'any') conditions.push({ expression: 'attribute_not_exists(id)', values: {} });
  else if (noneMatch) conditions.push(oneOf(noneMatch, 'NoneMatch', (isIn) => `NOT (${isIn})`));
  if (unmodifiedSince !== undefined)
    conditions.push({
      expression: '(attribute_not_exists(id) OR lastModified <= :unmodifiedSince)',
      values: { ':unmodifiedSince': unmodifiedSince },
    });
  return conditions;
}

function oneOf(
  [state]: readonly DogState[],
  suffix: string,
  expressionOf: (isIn: string) => string,
): Condition {
  // An empty list includes no state, so this expression is never true.
  if (!state)
    return { expression: expressionOf('attribute_not_exists(id) AND attribute_exists(id)'), values: {} };
  return {
    expression: expressionOf(`incarnation = :incarnation${suffix} AND version = :version${suffix}`),
    values: { [`:incarnation${suffix}`]: state.incarnation, [`:version${suffix}`]: state.version },
  };
}
