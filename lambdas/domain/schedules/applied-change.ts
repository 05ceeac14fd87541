import { environment } from '../../environment.ts';
import type { Part } from '../platform/commit.ts';
import { readItems } from '../platform/dynamodb.ts';
import type { RequestContext } from '../platform/request-context.ts';

/**
 * An item of the barks table: a PATCH, or a POST of a schedule, that the service has applied. It lasts as long as its dog, so
 * that the service recognizes repeats of the request however late they arrive.
 */
export interface AppliedChange {
  readonly dog: string;
  readonly sk: string;
  readonly incarnation: string;
  /** Unique: the `scheduleId` of the schedule that the change created, or a new ID if it ended a schedule or changed nothing. */
  readonly change: string;
  /** The content of a POST; absent for a PATCH. */
  readonly next?: number;
  readonly frequency?: number | null;
}

/** The part refuses if the same incarnation already has an applied change with the same key. */
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
  // With GetItem, the bundles of the functions that set schedules would contain one more operation.
  const [item] = await readItems([{ table: environment('BARKS_TABLE'), key: { dog, sk } }], context);
  return item as AppliedChange | undefined;
}
