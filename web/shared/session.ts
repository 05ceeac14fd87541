import { signal } from '@preact/signals';
import { authorizationOf, type Credentials, localPathOf } from './credentials.ts';
import type { Exchange } from './http/exchange.ts';
import { listDogs, type Request } from './http/requests.ts';
import { sendRequest } from './http/send-request.ts';
import { isLocal } from './service.ts';

/** The credentials survive a reload. The browser deletes them when the tab closes. */
const storageKey = 'credentials';

/** Undefined if no user is signed in. */
export const credentials = signal<Credentials | undefined>();

/** Why the last session ended, and whose session it was. */
export const sessionEnd = signal<
  { readonly kind: 'bad' | 'info'; readonly text: string; readonly user: string | undefined } | undefined
>();

/** Stores the credentials if the service accepts them. */
export async function signIn(candidate: Credentials): Promise<Exchange> {
  const exchange = await sendRequest(listDogs(), authorizationOf(candidate));
  if (exchange.response?.status === 200) use(candidate);
  return exchange;
}

function use(candidate: Credentials): void {
  sessionStorage.setItem(storageKey, JSON.stringify(candidate));
  credentials.value = candidate;
}

export function signOut(kind: 'bad' | 'info', text: string): void {
  sessionEnd.value = { kind, text, user: credentials.value?.user };
  sessionStorage.removeItem(storageKey);
  credentials.value = undefined;
}

/**
 * Signs in with the credentials from a sign-in link, otherwise with those from before a reload, if any. Removes the link's
 * fragment, so that the browser's history does not keep the access token.
 */
export function restoreSession(): void {
  const stored = sessionStorage.getItem(storageKey);
  if (stored) credentials.value = JSON.parse(stored);
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [accessToken, user] = ['access_token', 'user'].map((one) => fragment.get(one));
  if (!isLocal || !accessToken || !user) return;
  history.replaceState(null, '', location.pathname + location.search);
  const [inbox, feed] = ['inbox', 'feed'].map((one) => localPathOf(fragment.get(one)));
  use({ user, accessToken, ...(inbox && { inbox }), ...(feed && { feed }) });
}

/** Returns a path of this service, or undefined unless the user signed in with a link that contains it. */
export function fromLink(name: 'feed' | 'inbox'): string | undefined {
  const { value } = credentials;
  return value && 'accessToken' in value ? value[name] : undefined;
}

export async function send(request: Request): Promise<Exchange> {
  const sender = credentials.value;
  // An action can continue after the user has signed out. It then sends no request.
  if (!sender) return { request, startedAt: Date.now(), durationMs: 0 };
  const exchange = await sendRequest(request, authorizationOf(sender));
  if (sender === credentials.value && exchange.response?.status === 401)
    signOut('bad', 'The service no longer accepts these credentials. Sign in again.');
  return exchange;
}
