import { signal } from '@preact/signals';
import { succeeded } from '../shared/http/exchange.ts';
import { listDogs } from '../shared/http/requests.ts';
import {
  credentials,
  initialCredentials,
  isSignInLink,
  listen,
  send,
  signOut,
  use,
} from '../shared/session.ts';
import { loadDogs } from './dogs/dog-index.ts';
import { readDog } from './live/open-dog.ts';

const retryIntervalMs = 2_000;

export const isUnreachable = signal(false);

/** Why the last session ended. */
export const sessionEnd = signal<{ readonly kind: 'bad' | 'info'; readonly text: string } | undefined>();

export const lastUser = signal<string | undefined>();

function end(kind: 'bad' | 'info', text: string): void {
  lastUser.value = credentials.value?.user;
  sessionEnd.value = { kind, text };
  isUnreachable.value = false;
  signOut();
}

export function endByUser(): void {
  end('info', 'You are signed out.');
}

/** Starts listening to the session, and signs in if the page was loaded with credentials. */
export function connect(): void {
  listen({
    refused: () => end('bad', 'The service no longer accepts these credentials. Sign in again.'),
    unreachable: () => void reconnect(),
  });
  // If a tab already shows the console, a sign-in link changes only the fragment. A reload then starts the new session.
  addEventListener('hashchange', () => isSignInLink() && location.reload());
  const initial = initialCredentials();
  if (initial) use(initial);
}

/** Retries until a request succeeds or the session ends, except while the page is hidden. */
async function reconnect(): Promise<void> {
  if (isUnreachable.value) return;
  isUnreachable.value = true;
  const session = credentials.value;
  do await new Promise((done) => setTimeout(done, retryIntervalMs));
  while (session === credentials.value && (document.hidden || !succeeded(await send(listDogs()))));
  if (session !== credentials.value) return;
  isUnreachable.value = false;
  void loadDogs();
  void readDog();
}
