export interface BasicCredentials {
  readonly userId: string;
  /** Undefined if the credentials have no colon. */
  readonly password: string | undefined;
}

/**
 * Returns undefined unless the value consists of `Basic` and Base64.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7617#section-2 RFC 7617 section 2}
 */
export function basicCredentials(authorization: string): BasicCredentials | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const [userId = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { userId, password: password.length > 0 ? password.join(':') : undefined };
}
