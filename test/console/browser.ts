import { eventually } from '@rest-actions/local-cloud/testing';
import type { Locator, Page } from 'playwright-core';
import type { Access } from '../../tools/service.ts';
import type { Credentials } from '../../web/shared/credentials.ts';

export const sizes = {
  wide: { width: 1440, height: 900 },
  medium: { width: 1024, height: 768 },
  narrow: { width: 390, height: 915 },
} as const;

/** The message that Chromium logs for a response with an error status, and for a service that does not respond. */
const expectedMessage =
  /^Failed to load resource: (the server responded with a status of (4\d\d|503)|net::ERR_(CONNECTION_REFUSED|EMPTY_RESPONSE|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING|SOCKET_NOT_CONNECTED))/;

/** Collects the errors of a page, its dialogs, and its requests to origins other than that of the given URL. */
export function errorsOf(page: Page, url: string): string[] {
  const ownOrigin = new URL(url).origin;
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !expectedMessage.test(message.text())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('dialog', (dialog) => errors.push(`The page opened a dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== ownOrigin && request.url() !== url)
      errors.push(`The page sent a request to ${request.url()}`);
  });
  return errors;
}

/** Loads a URL with a storage that contains only the credentials. */
export async function load(page: Page, url: string, credentials?: Credentials): Promise<void> {
  const script = await page.addInitScript((stored) => {
    const { localStorage, sessionStorage } = globalThis;
    for (const storage of [localStorage, sessionStorage]) storage.clear();
    if (stored) sessionStorage.setItem('credentials', stored);
  }, credentials && JSON.stringify(credentials));
  await page.goto(url);
  await script.dispose();
}

/** Records the requests that a page sends from now on, as `GET /path`. `settle` waits until none is in progress. */
export function trafficOf(page: Page) {
  const sent: string[] = [];
  const inProgress = new Set<unknown>();
  page.on('request', (request) => {
    sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
    inProgress.add(request);
  });
  page.on('requestfinished', (request) => inProgress.delete(request));
  page.on('requestfailed', (request) => inProgress.delete(request));
  const settle = () => eventually(async () => expect(inProgress.size).toBe(0), { interval: 2 });
  return { sent, settle };
}

export async function signIn(page: Page, { username, password }: Access): Promise<void> {
  await page.getByLabel('User name', { exact: true }).fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Hides the page as if the user had opened another tab, or shows it again. */
export const hide = (page: Page, isHidden: boolean) =>
  page.evaluate(`{
    Object.defineProperty(document, 'hidden', { get: () => ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }`);

export const button = (place: Page | Locator, name: string) =>
  place.getByRole('button', { name, exact: true });
export const field = (place: Page | Locator, label: string) => place.getByLabel(label, { exact: true });

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true, level: 1 });

export const dogLink = (page: Page, id: string) =>
  page.getByRole('navigation', { name: 'Dogs' }).getByRole('link', { name: id });

export const cardOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

export const exchangeOf = (page: Page, name: string) => cardOf(page, name).locator('.exchange').first();

export const barkCard = (page: Page) => cardOf(page, 'Make it bark');
export const barkExchange = (page: Page) => exchangeOf(page, 'Make it bark');
export const result = (page: Page, text: string | RegExp) =>
  barkCard(page).getByRole('status').filter({ hasText: text }).first();
/** Returns the last asynchronous bark. */
export const watched = (page: Page) =>
  page.getByRole('list', { name: 'Asynchronous barks' }).getByRole('listitem').first();
export const facts = (page: Page) => page.locator('.facts');

export const showsCount = (page: Page, barks: number) =>
  facts(page).getByText(`${barks} counted`, { exact: true }).waitFor();

export const activities = (page: Page) => page.getByRole('log', { name: 'Activities' });
export const entry = (page: Page, text: string | RegExp) =>
  activities(page).getByRole('listitem').filter({ hasText: text });

export function shownIn(place: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: textContent includes hidden text and omits line breaks
  return place.innerText();
}

/** Presses a key until an element has the focus. @throws Error if the key does not reach an element with that name */
export async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The key ${key} does not reach ${name}.`);
}

/** Waits until a name is the first line of the focused element's label or, if it has no label, of its text. */
export const expectFocus = (page: Page, name: string) =>
  eventually(async () => expect(await focused(page)).toBe(name), { interval: 5 });

function focused(page: Page): Promise<string> {
  return page.evaluate(
    "(document.activeElement?.labels?.[0] ?? document.activeElement)?.innerText?.split('\\n')[0] ?? ''",
  );
}
