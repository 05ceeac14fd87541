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

export interface Listeners {
  /** The session calls this when the service no longer accepts the credentials. */
  readonly refused: () => void;
  /** `send` calls this after a request without a response. */
  readonly unreachable?: () => void;
}

let listeners: Listeners = { refused: () => {} };

export function listen(to: Listeners): void {
  listeners = to;
}

/** Stores the credentials if the service accepts them. */
export async function signIn(candidate: Credentials): Promise<Exchange> {
  const exchange = await sendRequest(listDogs(), authorizationOf(candidate));
  if (exchange.response?.status === 200) use(candidate);
  return exchange;
}

export function use(candidate: Credentials): void {
  sessionStorage.setItem(storageKey, JSON.stringify(candidate));
  credentials.value = candidate;
}

export function signOut(): void {
  sessionStorage.removeItem(storageKey);
  credentials.value = undefined;
}

export function isSignInLink(): boolean {
  return isLocal && new URLSearchParams(location.hash.slice(1)).has('access_token');
}

/**
 * Returns the credentials from a sign-in link, otherwise those from before a reload, if any. Removes the link's fragment, so that
 * the browser's history does not keep the access token.
 */
export function initialCredentials(): Credentials | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [accessToken, name] = ['access_token', 'user'].map((one) => fragment.get(one));
  if (isLocal && accessToken && name) {
    history.replaceState(null, '', location.pathname + location.search);
    const [inbox, feed] = ['inbox', 'feed'].map((one) => localPathOf(fragment.get(one)));
    return { user: name, accessToken, ...(inbox && { inbox }), ...(feed && { feed }) };
  }
  return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') ?? undefined;
}

/** Returns the inbox's path, or undefined unless the user signed in with a link that contains it. */
export function inbox(): string | undefined {
  const { value } = credentials;
  return value && 'accessToken' in value ? value.inbox : undefined;
}

/** Returns the feed's path, or undefined unless the user signed in with a link that contains it. */
export function feed(): string | undefined {
  const { value } = credentials;
  return value && 'accessToken' in value ? value.feed : undefined;
}

export async function send(request: Request): Promise<Exchange> {
  const sender = credentials.value;
  // An action can continue after the user has signed out. It then sends no request.
  if (!sender) return { request, startedAt: Date.now(), durationMs: 0 };
  const exchange = await sendRequest(request, authorizationOf(sender));
  if (sender === credentials.value) {
    if (!exchange.response) listeners.unreachable?.();
    if (exchange.response?.status === 401) listeners.refused();
  }
  return exchange;
}
