import { conditionFailuresOf, failedCondition } from '../platform/dynamodb.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';

/** The time that a write stores with a dog. */
export interface DogTime {
  /** The time that the write stores, in Unix seconds. */
  readonly lastModified: number;
  /** The latest time that the dog may have before the write. The write has the condition `lastModified <= :latestStored`. */
  readonly latestStored: number;
}

/**
 * Runs a write to a dog with the current time. If a function whose clock was ahead has already written the dog, runs the write
 * again with a later time.
 *
 * Clients use `lastModified` to detect that a dog has changed, and send it as the date of a PATCH. If writes kept a stored time
 * in the future, all writes until that time would share it. Clients would not detect these changes, and a PATCH after another
 * client's change would look like a repeat of an earlier PATCH. A write therefore increases such a time by one second. If the
 * stored time is only a few seconds ahead, which is normal for synchronized clocks, the write keeps the stored time. Otherwise,
 * frequent writes could increase the stored time faster than the clock advances.
 *
 * @param write runs the write with a time
 * @param isClientChange true for a change by a client, false for a bark
 * @returns the result of the write that succeeded
 * @throws the error that `write` throws, unless the stored time is its cause
 */
export async function writeWithLastModified<Result>(
  write: (time: DogTime) => Promise<Result>,
  context: RequestContext,
  { isClientChange = false } = {},
): Promise<Result> {
  const now = seconds(context.now);
  const toleratedSeconds = isClientChange ? 1 : 5;
  let time: DogTime = { lastModified: now, latestStored: now };
  for (;;) {
    try {
      return await write(time);
    } catch (error) {
      const conditions = [failedCondition(error), ...Object.values(conditionFailuresOf(error) ?? {})];
      const times = conditions.map((condition) => Number(condition?.item?.lastModified ?? 0));
      const latestStored = Math.max(0, ...times);
      if (latestStored <= time.latestStored) throw error;
      const isAhead = latestStored > now + toleratedSeconds;
      time = { lastModified: isAhead ? latestStored + 1 : latestStored, latestStored };
    }
  }
}
