/** The prefixes of the partition keys in the access table: one for each type of item. */
const prefixes = { user: 'u#', client: 'c#', grant: 'g#', publication: 'j#' } as const;

/** The types of items that the operator creates and revokes by name. */
export type AccessItemType = 'user' | 'client' | 'grant';

/**
 * The pattern of the names of users and clients. It allows only characters that are on every keyboard. A colon is not allowed,
 * because RFC 7617 does not permit it in a user ID.
 */
export const accessName = /^[A-Za-z0-9._@+-]{1,64}$/;

/** Returns the name of the grant of a user and a client. */
export function grantName(user: string, client: string): string {
  return `${user}/${client}`;
}

/**
 * Returns true if an item of this type may have the name. The name of a grant consists of the names of its user and its client.
 */
export function isName(type: AccessItemType, name: string): boolean {
  const parts = name.split('/');
  return parts.length === (type === 'grant' ? 2 : 1) && parts.every((part) => accessName.test(part));
}

/** Returns the prefix of the partition keys of a type. In a key, the name of the item follows the prefix. */
export function keyPrefix(type: AccessItemType): string {
  return prefixes[type];
}

/** Returns the key of a user, a client or a grant. */
export function accessKey(type: AccessItemType, name: string): { pk: string } {
  return { pk: prefixes[type] + name };
}

/** The key of the item that contains all published keys. They are in one item so that one call can read them. */
export const publicationKey = { pk: `${prefixes.publication}keys` };
