/** The prefixes of the access table's partition keys. The name of the item follows the prefix. */
export const prefixes = { user: 'u#', client: 'c#', grant: 'g#', publication: 'j#' } as const;

/** The types of items that the operator creates and revokes by name. */
export type AccessItemType = 'user' | 'client' | 'grant';

/** The names of users and clients. RFC 7617 permits no colon in a user ID. */
export const accessName = /^[A-Za-z0-9._@+-]{1,64}$/;

/**
 * The IDs of new clients. The token endpoint form-decodes Basic credentials, so a `+` from a library that does not encode them
 * becomes a space. Clients of earlier versions can have a `+`.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 RFC 6749 section 2.3.1}
 */
export const newClientId = /^[A-Za-z0-9._@-]{1,64}$/;

export function grantName(user: string, client: string): string {
  return `${user}/${client}`;
}

export function isName(type: AccessItemType, name: string): boolean {
  const parts = name.split('/');
  return parts.length === (type === 'grant' ? 2 : 1) && parts.every((part) => accessName.test(part));
}

export function accessKey(type: AccessItemType, name: string): { pk: string } {
  return { pk: prefixes[type] + name };
}

/** The key of the item that contains all published keys, so that one call can read them. */
export const publicationKey = { pk: `${prefixes.publication}keys` };
