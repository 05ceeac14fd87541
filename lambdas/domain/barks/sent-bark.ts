import { environment } from '../../environment.ts';
import type { Dog } from '../dogs/dog.ts';
import type { Part } from '../platform/commit.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import { sortKey } from './keys.ts';

/**
 * An item of the barks table that exists only so that the table's stream reports a synchronous bark that has no history
 * entry. Times are in Unix seconds.
 */
export interface SentBark {
  readonly dog: string;
  readonly sk: string;
  readonly incarnation: string;
  readonly timestamp: number;
  readonly expires: number;
}

/** Any lifetime would do, because the stream contains the item even after the item has expired. */
const lifetimeSeconds = 24 * 60 * 60;

/** The part has no actions if the stack publishes no events. */
export function addSentBark({ id, incarnation }: Dog, { now }: RequestContext): Part {
  const timestamp = seconds(now);
  const item: SentBark = {
    dog: id,
    sk: sortKey('sentBark', ulid(now)),
    incarnation,
    timestamp,
    expires: timestamp + lifetimeSeconds,
  };
  const put = { Put: { TableName: environment('BARKS_TABLE'), Item: item } };
  return { actions: process.env.PUBLISHES_EVENTS ? [put] : [], judge: () => 'written' };
}
