import { type Exchange, sendRequest } from './exchange.ts';
import { listDogs, type Request } from './requests.ts';

interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** The credentials of the user. The page stores them only here, so that they are gone when the tab closes. */
let credentials: Credentials | undefined;

export interface Listeners {
  /** The session calls this when the service no longer accepts the credentials. */
  refused(): void;
  /** The session calls this after each exchange. */
  reached(responded: boolean): void;
}

let listeners: Listeners = { refused: () => {}, reached: () => {} };

export function listen(to: Listeners): void {
  listeners = to;
}

/** Sends a request with the credentials, and stores them if the service accepts them. */
export async function signIn(candidate: Credentials): Promise<Exchange> {
  const exchange = await sendRequest(listDogs(), basic(candidate));
  if (exchange.response?.status === 200) credentials = candidate;
  return exchange;
}

export function signOut(): void {
  credentials = undefined;
}

export function user(): string | undefined {
  return credentials?.user;
}

/** Returns the credentials in the format of curl's option -u. */
export function plainCredentials(): string {
  return credentials ? `${credentials.user}:${credentials.password}` : '';
}

/** Sends a request with the credentials of the user. */
export async function send(request: Request): Promise<Exchange> {
  const sender = credentials;
  // An action can continue after the user has signed out. It then sends no request.
  if (!sender) return { request };
  const exchange = await sendRequest(request, basic(sender));
  if (sender === credentials) {
    listeners.reached(exchange.response !== undefined);
    if (exchange.response?.status === 401) listeners.refused();
  }
  return exchange;
}

/**
 * Returns Basic credentials in UTF-8, which the service requires.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7617 RFC 7617}
 */
function basic({ user: name, password }: Credentials): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${name}:${password}`)))}`;
}
