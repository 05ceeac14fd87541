import type { Exchange } from '../../shared/http/exchange.ts';
import type { Request } from '../../shared/http/requests.ts';

export const tokenFields = ['client_id', 'client_secret', 'refresh_token'] as const;
export type TokenField = (typeof tokenFields)[number];
export type TokenParameters = Readonly<Record<TokenField, string>>;

export function tokenRequest(parameters: TokenParameters): Request {
  const body = new URLSearchParams({ grant_type: 'refresh_token', ...parameters });
  return {
    method: 'POST',
    path: '/oauth2/v4/token',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: body.toString(),
    sender: 'none',
  };
}

export function withoutSecrets(request: Request): Request {
  const body = (request.body ?? '').replace(/\b(client_secret|refresh_token)=[^&]+/g, '$1=••••••');
  return { ...request, body };
}

/** Returns the parameters in an `access.json` file, or undefined if the text is not JSON that contains at least one of them. */
export function parametersIn(text: string): Partial<TokenParameters> | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof document !== 'object' || document === null) return undefined;
  const members = new Map(Object.entries(document));
  const found = tokenFields.flatMap((name) => {
    const value: unknown = members.get(name);
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

/** Returns the `error_description` (RFC 6749) of a response from the token endpoint, or undefined if there is none. */
export function tokenFailure({ response }: Exchange): string | undefined {
  try {
    const { error_description } = JSON.parse(response?.body ?? '') as { error_description?: unknown };
    return typeof error_description === 'string' ? error_description : undefined;
  } catch {
    return undefined;
  }
}
