/** The kinds of entries, in the order in which the feed offers them. */
export const kinds = ['bark', 'cancellation', 'mail', 'occurrence', 'schedule', 'request'] as const;
export type Kind = (typeof kinds)[number];

/** Something that happened in the service. */
export interface Entry {
  /** Identifies what happened. Two reports of the same thing have the same ID, even if they come from different sources. */
  readonly id: string;
  /** Unix seconds, with a fraction if the source has one. */
  readonly at: number;
  readonly kind: Kind;
  /** The ID of the dog. Absent if the source does not know it, or if the entry concerns no dog. */
  readonly dog?: string;
  /** What happened, such as `Bark complete`. */
  readonly text: string;
  readonly detail?: string;
  readonly hasFailed?: boolean;
}

/** The number of entries that the feed keeps. */
const maximumEntries = 500;

/**
 * Returns the added entries, newest first, and then the earlier ones. If several entries have the same ID, keeps the one that
 * came first. The order of arrival decides, because the clock of the service can be set back.
 */
export function merged(entries: readonly Entry[], added: readonly Entry[]): Entry[] {
  const known = new Set(entries.map(({ id }) => id));
  const news = new Map<string, Entry>();
  for (const entry of added) if (!known.has(entry.id) && !news.has(entry.id)) news.set(entry.id, entry);
  return [...[...news.values()].sort((a, b) => b.at - a.at), ...entries].slice(0, maximumEntries);
}

/** Returns the entries of one dog and one kind. An absent condition selects all. */
export function selected(
  entries: readonly Entry[],
  { dog, kind }: { readonly dog?: string | undefined; readonly kind?: Kind | undefined },
): Entry[] {
  return entries.filter(
    (entry) => (dog === undefined || entry.dog === dog) && (kind === undefined || entry.kind === kind),
  );
}

/** Returns the text with which a screen reader announces new entries. @param added newest first */
export function announcement(added: readonly Entry[]): string {
  const [newest] = added;
  if (!newest) return '';
  const { dog, text } = newest;
  const one = dog === undefined ? text : `${dog}: ${text}`;
  return added.length === 1 ? `${one}.` : `${added.length} new activities. The latest is ${one}.`;
}
