import { signal } from '@preact/signals';
import type { Mail, MailPage } from '@rest-actions/local-cloud/mail';
import { addressOf, fragmentOf, queryOf, type View } from './view.ts';

/** `lost` while the service does not respond. `moved` if it responds, but has no inbox at this URL. */
export type Connection = 'live' | 'lost' | 'moved';

const { console: consoleUrl = '', inbox = '' } = document.querySelector('main')?.dataset ?? {};
/** The path of the inbox, with a trailing slash. */
export const root = new URL(inbox || location.href).pathname;
/** The URL of the console, with a trailing slash. */
export { consoleUrl };
/** The ID of the only email that the page shows. Undefined if the page shows the list. */
export const shownId = location.pathname.startsWith(`${root}mails/`)
  ? location.pathname.slice(`${root}mails/`.length)
  : undefined;

export const view = signal(viewOfUrl());
/** Undefined until the first response. */
export const page = signal<MailPage>();
/** Null if there is no email with the ID `shownId`. Undefined until the first response. */
export const shownMail = signal<Mail | null>();
/** The IDs of the emails that arrived with the last update. */
export const arrived = signal<ReadonlySet<string>>(new Set());
export const connection = signal<Connection>('live');

/** Takes the address from the URL, and the rest of the view from the history state, which survives a reload. */
function viewOfUrl(): View {
  return { text: '', ...history.state, address: addressOf(location.hash) };
}

/** @param entry with `push`, the Back button returns to the previous view */
export function show(next: View, entry: 'push' | 'replace'): void {
  view.value = next;
  const url = root + fragmentOf(next.address);
  if (entry === 'push') history.pushState(next, '', url);
  else history.replaceState(next, '', url);
  void load();
}

/** @returns true if the service has deleted the emails */
export async function clear(): Promise<boolean> {
  const response = await request('mails', { method: 'DELETE' });
  return response?.ok === true;
}

export function start(): void {
  addEventListener('popstate', () => {
    view.value = viewOfUrl();
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
    if (shownId === undefined) await loadPage();
    else await loadMail(shownId);
  }
  isLoading = false;
}

/** The view that `page` shows. */
let shownView: View | undefined;

async function loadPage(): Promise<void> {
  const requested = view.value;
  const response = await request(`mails?${queryOf(requested)}`);
  const next: MailPage | undefined = response?.ok ? await response.json() : undefined;
  if (!next || requested !== view.value) return;
  const known = new Set(page.value?.emails.map(({ messageId }) => messageId));
  const ids = next.emails.map(({ messageId }) => messageId);
  arrived.value = new Set(requested === shownView ? ids.filter((id) => !known.has(id)) : []);
  page.value = next;
  // Without a cursor, the newest page also shows emails that arrive later.
  if (next.newer === 0 && (requested.before || requested.after)) {
    const { address, text } = requested;
    view.value = { address, text };
    history.replaceState(view.value, '');
  }
  shownView = view.value;
}

async function loadMail(id: string): Promise<void> {
  const response = await request(`mails/${id}`, { headers: { Accept: 'application/json' } });
  if (response) shownMail.value = response.ok ? await response.json() : null;
}

/** @returns undefined if the service does not respond */
function request(path: string, options?: RequestInit): Promise<Response | undefined> {
  return fetch(root + path, options).catch(() => undefined);
}
