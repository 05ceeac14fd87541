import { type Exchange, exchanged } from './exchange.ts';
import { listDogs, type Request } from './requests.ts';

interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** They are nowhere else, and end with the tab. */
let credentials: Credentials | undefined;

export interface Listeners {
  /** Is told that the service takes the credentials no more. */
  refused(): void;
  /** Is told of each exchange whether the service answered. */
  reached(answered: boolean): void;
}

let listeners: Listeners = { refused: () => {}, reached: () => {} };

export function listen(to: Listeners): void {
  listeners = to;
}

/** Tries credentials, and keeps them if the service takes them. */
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

/** The credentials as curl takes them. */
export function inClear(): string {
  return credentials ? `${credentials.user}:${credentials.password}` : '';
}

/** Sends a request with the credentials that were given. */
export async function send(request: Request): Promise<Exchange> {
  const sender = credentials;
  // What ends after the user has gone asks nobody any more.
  if (!sender) return { request };
  const exchange = await exchanged(request, basic(sender));
  if (sender === credentials) {
    listeners.reached(exchange.answer !== undefined);
    if (exchange.answer?.status === 401) listeners.refused();
  }
  return exchange;
}

/** RFC 7617, with the UTF-8 that the service asks for. */
function basic({ user: name, password }: Credentials): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${name}:${password}`)))}`;
}
