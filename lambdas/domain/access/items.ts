/** The attributes that users, clients and grants have in common. */
export interface AccessItem {
  /** A ULID. An item that is revoked and created again under the same name gets a new incarnation. */
  readonly incarnation: string;
  /** When the item was created, in Unix seconds. */
  readonly created: number;
}

/** A person or a program that calls the API with a password or with access tokens. */
export interface User extends AccessItem {
  readonly passwordHash: string;
}

/**
 * A program that exchanges refresh tokens for access tokens.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-2 RFC 6749 section 2}
 */
export interface Client extends AccessItem {
  readonly secretHash: string;
}

/**
 * Permission for a client to act on behalf of a user, even while the user is not present. Each pair of a user and a client has at
 * most one grant.
 */
export interface Grant extends AccessItem {
  readonly user: string;
  readonly client: string;
  readonly tokenHash: string;
  /**
   * The incarnations of the user and of the client to which the grant belongs. A user or a client that is revoked and
   * created again has none of the grants of its earlier incarnation.
   */
  readonly userIncarnation: string;
  readonly clientIncarnation: string;
}
