import { signal } from '@preact/signals';
import type { Mail, MailPage } from '@rest-actions/local-cloud/mail';
import { decoded } from '../shared/decoded.ts';

const { console: consoleUrl = '', inbox = '' } = document.querySelector('main')?.dataset ?? {};
/** The path of the inbox, with a trailing slash. */
export const root = new URL(inbox || location.href).pathname;
/** The URL of the console, with a trailing slash. */
export { consoleUrl };
/** The ID of the only email that the page shows. Undefined if the page shows the list. */
export const shownId = location.pathname.startsWith(`${root}mails/`)
  ? location.pathname.slice(`${root}mails/`.length)
  : undefined;

/** Text in the subject, in the body or in an address. The URL's fragment contains it. If it is empty, all emails match. */
export const filter = signal(decoded(location.hash.slice(1)));
/** How many emails the list contains at most. */
export const limit = signal(50);
/** Undefined until the first response. */
export const page = signal<MailPage>();
/** Null if there is no email with the ID `shownId`. Undefined until the first response. */
export const shownMail = signal<Mail | null>();
/** `lost` while the service does not respond. `moved` if it responds, but has no inbox at this URL. */
export const connection = signal<'live' | 'lost' | 'moved'>('live');

/** Returns the URL of the list with a filter. */
export function listUrl(text: string): string {
  return root + (text && `#${encodeURIComponent(text)}`);
}

export function show(text: string): void {
  filter.value = text;
  history.replaceState(null, '', listUrl(text));
  void load();
}

export function showMore(): void {
  limit.value += 50;
  void load();
}

/** @returns true if the service has deleted the emails */
export async function clear(): Promise<boolean> {
  const response = await request('mails', { method: 'DELETE' });
  return response?.ok === true;
}

export function start(): void {
  addEventListener('hashchange', () => {
    filter.value = decoded(location.hash.slice(1));
    void load();
  });
  document.addEventListener('visibilitychange', listen);
  listen();
}

let events: EventSource | undefined;

/** Listens only while the page is visible, because a browser allows only six connections to a server across all tabs. */
function listen(): void {
  events?.close();
  if (document.hidden) return;
  const source = new EventSource(`${root}events`);
  events = source;
  source.onopen = () => {
    connection.value = 'live';
    // Something may have changed before the connection opened.
    void load();
  };
  source.onmessage = () => void load();
  source.onerror = () => {
    connection.value = source.readyState === EventSource.CLOSED ? 'moved' : 'lost';
  };
}

let isLoading = false;
let isOutdated = false;

/** Calls during a load cause only one more load afterwards, so that many changes cause few requests. */
async function load(): Promise<void> {
  isOutdated = true;
  if (isLoading) return;
  isLoading = true;
  while (isOutdated) {
    isOutdated = false;
    if (shownId === undefined) {
      const response = await request(
        `mails?${new URLSearchParams({ text: filter.value, limit: `${limit.value}` })}`,
      );
      if (response?.ok && !isOutdated) page.value = await response.json();
    } else {
      const response = await request(`mails/${shownId}`, { headers: { Accept: 'application/json' } });
      if (response) shownMail.value = response.ok ? await response.json() : null;
    }
  }
  isLoading = false;
}

/** @returns undefined if the service does not respond */
function request(path: string, options?: RequestInit): Promise<Response | undefined> {
  return fetch(root + path, options).catch(() => undefined);
}
