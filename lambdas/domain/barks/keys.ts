/**
 * The prefixes of the sort keys in the barks table. One query reads the history entries and the pending markers, so no other type
 * may sort between them. The usage (`lambdas/domain/limits/keys.ts`) has keys that begin with `l#`.
 */
const prefixes = {
  historyEntry: 'b#',
  asyncBark: 'a#',
  pendingMarker: 'd#',
  appliedPatch: 'm#',
  appliedPost: 't#',
  idempotencyRecord: 'k#',
  sentBark: 'o#', // @extension events
} as const;

export interface Key {
  readonly dog: string;
  readonly sk: string;
}

type ItemType = keyof typeof prefixes;

export function sortKey(type: ItemType, name: string | number): string {
  return `${prefixes[type]}${name}`;
}

export function nameIn(sk: string): string {
  return sk.slice(sk.indexOf('#') + 1);
}

export function isKeyOf(type: ItemType, sk: string): boolean {
  return sk.startsWith(prefixes[type]);
}

/** All keys from the type `first` to the type `last`, including both types. */
export function keyRange(first: ItemType, last = first): { from: string; to: string } {
  return { from: sortKey(first, ''), to: sortKey(last, '~') };
}
