/** The credentials of a user: a password, or an access token from a sign-in link. */
export type Credentials =
  | { readonly user: string; readonly password: string }
  | {
      readonly user: string;
      readonly accessToken: string;
      /** The path that leads to the local inbox. Absent if the service sends real mail. */
      readonly inbox?: string;
      /** The path of the local activity stream. */
      readonly feed?: string;
    };

/**
 * Returns the path of the inbox or of the activity stream from a sign-in link. Returns undefined if the text is not such a path,
 * because another site can link to the console with any text.
 */
export function localPathOf(text: string | null): string | undefined {
  return text !== null && /^\/[\w-]{43}\/(activities)?$/.test(text) ? text : undefined;
}

/**
 * Returns the value of the Authorization header. Basic credentials are in UTF-8, which the service requires.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7617 RFC 7617}
 */
export function authorizationOf(sender: Credentials): string {
  if ('accessToken' in sender) return `Bearer ${sender.accessToken}`;
  const bytes = new TextEncoder().encode(`${sender.user}:${sender.password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
