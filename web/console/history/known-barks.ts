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
  const oldest = newest.barks.at(-1)?.id;
  const end = loaded?.barks.findLastIndex(({ id }) => id === oldest) ?? -1;
  if (!loaded || end < 0 || end === loaded.barks.length - 1) return newest;
  return { barks: [...newest.barks, ...loaded.barks.slice(end + 1)], next: loaded.next };
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
  const recorded = barks.flatMap(({ timestamp }) => timestamp ?? []);
  // The records of earlier times may be on the next page.
  const oldest = next === undefined ? 0 : (recorded.at(-1) ?? 0);
  const others = previous.filter((at) => {
    const index = recorded.indexOf(at);
    if (index >= 0) recorded.splice(index, 1);
    return index < 0 && at >= oldest;
  });
  // A record without a time directly follows the previous record.
  let at = Number.MAX_SAFE_INTEGER;
  const records = barks.map((record) => {
    at = record.timestamp ?? at;
    return { at, bark: { key: record.id, timestamp: record.timestamp, record } };
  });
  const times = others.map((time, i) => ({ at: time, bark: { key: `${time} ${i}`, timestamp: time } }));
  return [...records, ...times].sort((a, b) => b.at - a.at).map(({ bark }) => bark);
}
