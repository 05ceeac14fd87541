import { environment } from '../../environment.ts';
import type { Part } from '../platform/commit.ts';
import { readItems } from '../platform/dynamodb.ts';
import type { RequestContext } from '../platform/request-context.ts';

/**
 * An item of the barks table (see `docs/data-model.md`). It lasts as long as its dog, so that even a late repeat of a request is
 * recognized.
 */
export interface AppliedChange {
  readonly dog: string;
  readonly sk: string;
  readonly incarnation: string;
  readonly change: string;
  readonly next?: number;
  readonly frequency?: number | null;
}

export function addAppliedChange(change: AppliedChange): Part<'repeated'> {
  const put = {
    TableName: environment('BARKS_TABLE'),
    Item: change,
    ConditionExpression: 'attribute_not_exists(sk) OR incarnation <> :incarnation',
    ExpressionAttributeValues: { ':incarnation': change.incarnation },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  return {
    actions: [{ Put: put }],
    judge: ([failure]) => (failure?.item?.change === change.change ? 'written' : { refusal: 'repeated' }),
  };
}

export async function findAppliedChange(
  { dog, sk }: Pick<AppliedChange, 'dog' | 'sk'>,
  context: RequestContext,
): Promise<AppliedChange | undefined> {
  // GetItem would enlarge the bundles of the functions that set schedules.
  const [item] = await readItems([{ table: environment('BARKS_TABLE'), key: { dog, sk } }], context);
  return item as AppliedChange | undefined;
}
