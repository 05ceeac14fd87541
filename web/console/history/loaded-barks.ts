import type { Bark } from '../../../client/index.ts';

/** The recorded barks that the page has loaded, newest first. */
export interface LoadedBarks {
  readonly barks: readonly Bark[];
  /** The path of the next page of older barks. Absent if all barks are loaded. */
  readonly next?: string | undefined;
}

/**
 * Returns the loaded barks with the newest page, which the page has loaded again. The older pages remain, unless the newest page
 * has no bark in common with them: there is then a gap between them.
 */
export function withNewest(loaded: LoadedBarks | undefined, newest: LoadedBarks): LoadedBarks {
  const fresh = new Set(newest.barks.map(({ id }) => id));
  const oldest = newest.barks.at(-1)?.id;
  const end = loaded?.barks.findLastIndex(({ id }) => id === oldest) ?? -1;
  if (!loaded || end < 0) return newest;
  const older = loaded.barks.slice(end + 1).filter(({ id }) => !fresh.has(id));
  return older.length === 0 ? newest : { barks: [...newest.barks, ...older], next: loaded.next };
}

/** Returns the loaded barks with the next page of older barks. */
export function withOlder(loaded: LoadedBarks, page: LoadedBarks): LoadedBarks {
  const known = new Set(loaded.barks.map(({ id }) => id));
  return { barks: [...loaded.barks, ...page.barks.filter(({ id }) => !known.has(id))], next: page.next };
}

/** A bark that the page knows: the record of a bark, or only its time. */
export interface KnownBark {
  readonly key: string;
  /** The time of the bark in Unix seconds. Null if the bark is not complete. */
  readonly timestamp: number | null;
  /** Absent if the service has no record of the bark. */
  readonly record?: Bark;
}

/**
 * Returns all known barks, newest first: the records, and the times that are only in the field `previous` of the dog, because the
 * dog had no effect `record` at that time.
 */
export function knownBarks(records: readonly Bark[], previous: readonly number[]): KnownBark[] {
  const counts = new Map<number, number>();
  for (const { timestamp } of records)
    if (timestamp !== null) counts.set(timestamp, (counts.get(timestamp) ?? 0) + 1);
  const others = previous.filter((at) => {
    const count = counts.get(at) ?? 0;
    counts.set(at, count - 1);
    return count <= 0;
  });
  const known = [
    ...records.map((record) => ({ key: record.id, timestamp: record.timestamp, record })),
    ...others.map((timestamp, i) => ({ key: `${timestamp} ${i}`, timestamp })),
  ];
  if (others.length === 0) return known;
  const orderOf = ({ timestamp }: KnownBark) => timestamp ?? Number.MAX_SAFE_INTEGER;
  return known.sort((a, b) => orderOf(b) - orderOf(a));
}

/**
 * Returns the path in a Link header of the next page.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8288 RFC 8288}
 */
export function nextUrlOf(link: string | undefined): string | undefined {
  return /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1];
}
