import { type Exchange, exchanged } from './exchange.ts';
import { listDogs, type Request } from './requests.ts';

interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Only this variable holds the credentials, so that they end with the tab. */
let credentials: Credentials | undefined;

export interface Listeners {
  /** Called when the service refuses the credentials. */
  refused(): void;
  /** Called after each exchange, with true if the service responded. */
  reached(answered: boolean): void;
}

let listeners: Listeners = { refused: () => {}, reached: () => {} };

export function listen(to: Listeners): void {
  listeners = to;
}

/** Sends a request with credentials, and keeps them if the service accepts them. */
export async function signIn(tried: Credentials): Promise<Exchange> {
  const exchange = await exchanged(listDogs(), basic(tried));
  if (exchange.answer?.status === 200) credentials = tried;
  return exchange;
}

export function signOut(): void {
  credentials = undefined;
}

export function user(): string | undefined {
  return credentials?.user;
}

/** Returns the credentials in the format of curl. */
export function inClear(): string {
  return credentials ? `${credentials.user}:${credentials.password}` : '';
}

/** Sends a request with the credentials of the user. */
export async function send(request: Request): Promise<Exchange> {
  const sender = credentials;
  // After the user has signed out, a late request is not sent.
  if (!sender) return { request };
  const exchange = await exchanged(request, basic(sender));
  if (sender === credentials) {
    listeners.reached(exchange.answer !== undefined);
    if (exchange.answer?.status === 401) listeners.refused();
  }
  return exchange;
}

/**
 * Returns Basic credentials in UTF-8, the charset that the service requests.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7617#section-2.1 RFC 7617 section 2.1}
 */
function basic({ user: name, password }: Credentials): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${name}:${password}`)))}`;
}
