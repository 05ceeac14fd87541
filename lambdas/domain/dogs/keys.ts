/**
 * The prefixes of the sort keys in the barks table: one for each type of item. No other type may sort between the history entries
 * and the pending markers, because one query reads both.
 */
const prefixes = {
  historyEntry: 'b#',
  asyncBark: 'a#',
  pendingMarker: 'd#',
  appliedPatch: 'm#',
  appliedPost: 't#',
  idempotencyRecord: 'k#',
  sentBark: 'o#',
  usage: 'l#',
} as const;

type ItemType = keyof typeof prefixes;

/**
 * Returns the sort key of an item.
 *
 * @param name identifies the item among the items of the same type and dog, for example a ULID
 */
export function sortKey(type: ItemType, name: string | number): string {
  return `${prefixes[type]}${name}`;
}

/** Returns a sort key without its prefix. */
export function nameIn(sk: string): string {
  return sk.slice(sk.indexOf('#') + 1);
}

/** Returns true if a sort key belongs to an item of this type. */
export function isKeyOf(type: ItemType, sk: string): boolean {
  return sk.startsWith(prefixes[type]);
}

/** Returns the range of the sort keys of a type, or of all types from `first` to `last`. The range includes both ends. */
export function keyRange(first: ItemType, last = first): { from: string; to: string } {
  return { from: sortKey(first, ''), to: sortKey(last, '~') };
}
