import { dogId } from '../../contract/dog-id.ts';
import { environment } from '../../environment.ts';
import { commit, type Part } from '../platform/commit.ts';
import { NotFound } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { conditionsFor } from './condition.ts';
import type { Precondition } from './precondition.ts';
import { StateMismatch } from './precondition.ts';

/**
 * Afterwards, clients can no longer see the dog's barks or schedule. The table's stream triggers their purge.
 *
 * @throws NotFound if the dog does not exist
 * @throws StateMismatch if the dog does not meet the precondition
 */
export async function deleteDog(
  id: string,
  precondition: Precondition,
  context: RequestContext,
): Promise<void> {
  if (!dogId.test(id)) throw new NotFound('dog', id);
  const conditions = await conditionsFor(id, precondition, context);
  const values = Object.assign({}, ...conditions.map((one) => one.values));
  const removal = {
    TableName: environment('DOGS_TABLE'),
    Key: { id },
    ConditionExpression: ['attribute_exists(id)', ...conditions.map(({ expression }) => expression)].join(
      ' AND ',
    ),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  // A transaction, so that DynamoDB recognizes a repeated attempt by its client request token. A repeat must not delete a dog
  // that was created later.
  const dog: Part<Error> = {
    actions: [{ Delete: removal }],
    judge: ([failure]) => {
      if (failure?.item) return { refusal: new StateMismatch(id) };
      // An earlier attempt may have deleted the dog, even though DynamoDB did not recognize this attempt's token.
      return failure?.wasRetried ? 'written' : { refusal: new NotFound('dog', id) };
    },
  };
  const refused = await commit({ dog }, context);
  if (refused) throw refused.refusal;
}
