/** The signature has not been verified. */
export interface DecodedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * @returns undefined if the text is not a JWT
 * @see {@link https://www.rfc-editor.org/rfc/rfc7519#section-3 RFC 7519 section 3}
 */
export function decodeToken(token: string): DecodedToken | undefined {
  const [header, claims, signature] = token.split('.');
  if (!header || !claims || !signature) return undefined;
  try {
    return { header: partOf(header), claims: partOf(claims) };
  } catch {
    return undefined; // a part is not a JSON object in Base64
  }
}

function partOf(part: string): Record<string, unknown> {
  const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const document: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  if (typeof document !== 'object' || document === null || Array.isArray(document)) throw new TypeError();
  return { ...document };
}

/** Returns a claim such as `exp`, in Unix seconds. Undefined if the claim is not a number. */
export function timeClaim({ claims }: DecodedToken, name: string): number | undefined {
  const value = claims[name];
  return typeof value === 'number' ? value : undefined;
}

/** Returns the token with a signature that the service refuses. */
export function withDamagedSignature(token: string): string {
  const start = token.lastIndexOf('.') + 1;
  const first = token.charAt(start) === 'A' ? 'B' : 'A';
  return `${token.slice(0, start)}${first}${token.slice(start + 1)}`;
}
