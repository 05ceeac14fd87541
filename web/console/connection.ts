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
import { openDog, refresh } from './live/open-dog.ts';
import { clearHistory, record } from './requests/history.ts';

const retryIntervalMs = 2_000;

export const isUnreachable = signal(false);

/** Why the last session ended. */
export const sessionEnd = signal<{ readonly kind: 'bad' | 'info'; readonly text: string } | undefined>();

export const lastUser = signal<string | undefined>();

/** Drafts stay in the tab, for the same user. */
function end(kind: 'bad' | 'info', text: string): void {
  lastUser.value = credentials.value?.user;
  sessionEnd.value = { kind, text };
  isUnreachable.value = false;
  openDog.value = undefined;
  clearHistory();
  signOut();
}

export function endByUser(): void {
  end('info', 'You are signed out.');
}

const refusal = 'The service no longer accepts these credentials. Sign in again. Your drafts are still here.';

/** Signs in with the credentials that the page has when it loads. */
export function connect(): void {
  listen({
    refused: () => end('bad', refusal),
    exchanged: (exchange, isBackground) => {
      record(exchange, isBackground);
      if (exchange.response === undefined) void reconnect();
    },
  });
  // In a tab that shows the console, a sign-in link changes only the fragment. Reloading discards the old session.
  addEventListener('hashchange', () => isSignInLink() && location.reload());
  const initial = initialCredentials();
  if (initial) use(initial);
}

/** Sends requests until the service responds, except while the page is hidden. */
async function reconnect(): Promise<void> {
  if (isUnreachable.value) return;
  isUnreachable.value = true;
  const session = credentials.value;
  do await pause(retryIntervalMs);
  while (session === credentials.value && (document.hidden || !(await responds())));
  if (session !== credentials.value) return;
  isUnreachable.value = false;
  void loadDogs();
  refresh();
}

async function responds(): Promise<boolean> {
  return succeeded(await send(listDogs(), { isBackground: true }));
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
