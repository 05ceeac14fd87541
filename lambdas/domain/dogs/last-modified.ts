import { conditionFailuresOf, failedCondition } from '../platform/dynamodb.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';

/** The time that a write gives a dog. */
export interface DogTime {
  /** What the write stores, in Unix seconds. */
  readonly lastModified: number;
  /** The latest time that the dog may have before the write: the write has the condition `lastModified <= :latestStored`. */
  readonly latestStored: number;
}

/**
 * Runs a write of a dog with the current time. If another function with a clock that was ahead has written the dog, runs
 * the write again with a later time.
 *
 * Clients use `lastModified` to see whether the dog has changed, and to date their changes. Without a correction, all writes
 * would share a time that is ahead until the current time reaches it. A change would then be invisible, and a PATCH after
 * the change of another client would look like the repeat of an earlier PATCH. Therefore a write moves such a time by a
 * second. It keeps the time if the difference is small enough for healthy clocks, because many writes could otherwise move
 * the time faster than the clock.
 *
 * @param write runs the write with a time
 * @param isClientChange true for a change by a client, false for a bark
 * @returns the result of the write that succeeded
 * @throws the error of the write, if the stored time is not the cause
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
