/** In the order of the feed's filter buttons. */
export const kinds = ['bark', 'cancellation', 'mail', 'occurrence', 'schedule', 'request'] as const;
export type Kind = (typeof kinds)[number];

export interface Entry {
  /** Two reports of the same thing have the same ID, even if they come from different sources. */
  readonly id: string;
  /** Unix seconds, with a fraction if the source provides one. */
  readonly at: number;
  readonly kind: Kind;
  /** Absent if the source names no dog. */
  readonly dog?: string;
  /** Such as `Bark complete`. */
  readonly text: string;
  readonly detail?: string;
  readonly hasFailed?: boolean;
}

const maximumEntries = 500;

/**
 * Returns the added entries, newest first, then the earlier ones, up to a maximum. Of several entries with the same ID, keeps
 * the one that came first. Does not sort all entries together, because the service's clock can be set back.
 */
export function merged(entries: readonly Entry[], added: readonly Entry[]): Entry[] {
  const known = new Set(entries.map(({ id }) => id));
  const news = new Map<string, Entry>();
  for (const entry of added) if (!known.has(entry.id) && !news.has(entry.id)) news.set(entry.id, entry);
  return [...[...news.values()].sort((a, b) => b.at - a.at), ...entries].slice(0, maximumEntries);
}

/** An absent condition matches every entry. */
export function selected(
  entries: readonly Entry[],
  { dog, kind }: { readonly dog?: string | undefined; readonly kind?: Kind | undefined },
): Entry[] {
  return entries.filter(
    (entry) => (dog === undefined || entry.dog === dog) && (kind === undefined || entry.kind === kind),
  );
}

/** @param added newest first */
export function announcement(added: readonly Entry[]): string {
  const [newest] = added;
  if (!newest) return '';
  const { dog, text } = newest;
  const one = dog === undefined ? text : `${dog}: ${text}`;
  return added.length === 1 ? `${one}.` : `${added.length} new activities. The latest is ${one}.`;
}
