import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { launchChromium } from '../../tools/browser.ts';
import type { Access } from '../../tools/service.ts';
import { eventually } from '../support/client.ts';

export function launchBrowser(): Promise<Browser> {
  return launchChromium(process.env.CHROMIUM ?? '');
}

/** A page of the console, and its errors. */
export interface Console {
  readonly page: Page;
  readonly errors: string[];
}

/** The message that Chromium logs for a response with an error status, and for a service that does not respond. */
const expectedMessage =
  /^Failed to load resource: (the server responded with a status of (4\d\d|503)|net::ERR_(CONNECTION_REFUSED|EMPTY_RESPONSE|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING))/;

/** Opens the console at a URL. Collects errors, dialogs and requests to other origins. */
export async function openConsole(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  consoleOrigin = new URL(url).origin,
): Promise<Console> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !expectedMessage.test(message.text())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('dialog', (dialog) => errors.push(`The page opened a dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== consoleOrigin && request.url() !== url)
      errors.push(`The page sent a request to ${request.url()}`);
  });
  await page.goto(url);
  return { page, errors };
}

/** The requests of a page, in order, as `GET /path`. */
export interface Traffic {
  /** A test can empty it. */
  readonly sent: string[];
  /** Waits until no request is in progress. */
  settle(): Promise<void>;
}

/** Records the requests that a page sends from now on. */
export function trafficOf(page: Page): Traffic {
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

/** Signs in through the form. */
export async function signIn(page: Page, { username, password }: Access): Promise<void> {
  await page.getByLabel('User name', { exact: true }).fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Returns the card with a heading. */
export function cardOf(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true });
}

/** Returns the first exchange of a card. */
export function exchangeOf(page: Page, name: string) {
  return cardOf(page, name).locator('.exchange').first();
}

/** Returns the visible text of an element. */
export function shownIn(place: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: textContent includes hidden text and omits line breaks
  return place.innerText();
}

/** Presses a key until an element has the focus. @throws Error if no element of the page has the name */
export async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The key ${key} does not reach ${name}.`);
}

/** Returns the first line of the label of the focused element, or of its text if it has no label. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(
    "(document.activeElement?.labels?.[0] ?? document.activeElement)?.innerText?.split('\\n')[0] ?? ''",
  );
}

/** Signs in through the form with the keyboard only. */
export async function signInByKeyboard(page: Page, { username, password }: Access): Promise<void> {
  await tabTo(page, 'User name');
  await page.keyboard.type(username);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}
