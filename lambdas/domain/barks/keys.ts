/** The prefixes of the sort keys in the barks table: one for each type of item. */
const prefixes = {
  historyEntry: 'b#',
  asyncBark: 'a#',
  pendingMarker: 'p#',
  appliedPatch: 'm#',
  appliedPost: 't#',
  idempotencyRecord: 'k#',
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

/** Returns the range of the sort keys of a type, including both ends. The range begins at the key of `firstName`. */
export function keyRange(type: ItemType, firstName: string | number = ''): { from: string; to: string } {
  return { from: sortKey(type, firstName), to: sortKey(type, '~') };
}
