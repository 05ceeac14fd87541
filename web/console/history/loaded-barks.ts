import type { Bark } from '../../../client/index.ts';

/** Newest first. */
export interface LoadedBarks {
  readonly barks: readonly Bark[];
  /** The path of the next page. Absent if all barks are loaded. */
  readonly next?: string | undefined;
}

/**
 * Replaces the newest page, which has been loaded again. Keeps older barks only if the oldest bark on that page was already
 * loaded; otherwise, there could be a gap.
 */
export function withNewest(loaded: LoadedBarks | undefined, newest: LoadedBarks): LoadedBarks {
  const fresh = new Set(newest.barks.map(({ id }) => id));
  const oldest = newest.barks.at(-1)?.id;
  const end = loaded?.barks.findLastIndex(({ id }) => id === oldest) ?? -1;
  if (!loaded || end < 0) return newest;
  const older = loaded.barks.slice(end + 1).filter(({ id }) => !fresh.has(id));
  return older.length === 0 ? newest : { barks: [...newest.barks, ...older], next: loaded.next };
}

export function withOlder(loaded: LoadedBarks, page: LoadedBarks): LoadedBarks {
  const known = new Set(loaded.barks.map(({ id }) => id));
  return { barks: [...loaded.barks, ...page.barks.filter(({ id }) => !known.has(id))], next: page.next };
}

/** The record of a bark, or only its time. */
export interface KnownBark {
  readonly key: string;
  /** In Unix seconds. Null if the bark is not complete. */
  readonly timestamp: number | null;
  /** Absent if the service has no record of the bark. */
  readonly record?: Bark;
}

/**
 * Returns all known barks, newest first: the records, and the times that are only in the dog's field `previous`, because the dog
 * lacked the effect `record` at those times.
 */
export function knownBarks({ barks, next }: LoadedBarks, previous: readonly number[]): KnownBark[] {
  const counts = new Map<number, number>();
  for (const { timestamp } of barks)
    if (timestamp !== null) counts.set(timestamp, (counts.get(timestamp) ?? 0) + 1);
  // The records of earlier times may be on the next page.
  const oldest = next === undefined ? 0 : (barks.findLast(({ timestamp }) => timestamp)?.timestamp ?? 0);
  const others = previous.filter((at) => {
    const count = counts.get(at) ?? 0;
    counts.set(at, count - 1);
    return count <= 0 && at >= oldest;
  });
  return merge(
    barks.map((record) => ({ key: record.id, timestamp: record.timestamp, record })),
    others
      .map((timestamp, i) => ({ key: `${timestamp} ${i}`, timestamp }))
      .sort((a, b) => b.timestamp - a.timestamp),
  );
}

/** Merges records and other barks, both sorted newest first. A record without a time directly follows the previous record. */
function merge(
  records: readonly KnownBark[],
  others: readonly (KnownBark & { timestamp: number })[],
): KnownBark[] {
  const merged: KnownBark[] = [];
  let i = 0;
  for (const record of records) {
    for (
      let other = others[i];
      other && other.timestamp > (record.timestamp ?? Number.POSITIVE_INFINITY);
      other = others[i]
    ) {
      merged.push(other);
      i += 1;
    }
    merged.push(record);
  }
  return [...merged, ...others.slice(i)];
}
