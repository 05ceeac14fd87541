import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import type { Access } from '../../tools/service.ts';

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '', args: quiet });
}

/** A page of the console, and what went wrong in it. */
export interface Console {
  readonly page: Page;
  readonly faults: string[];
}

/** What Chromium says of any answer that is a failure, and of a service that does not answer, or does not yet. */
const refusal =
  /^Failed to load resource: (the server responded with a status of (4\d\d|503)|net::ERR_(CONNECTION_REFUSED|EMPTY_RESPONSE|CONNECTION_RESET))/;

/** Opens the page at a URL; whatever a page must not do is noted. */
export async function openConsole(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Console> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !refusal.test(message.text())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('dialog', (dialog) => faults.push(`It opened a box: ${dialog.message()}`));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== new URL(url).origin) faults.push(`It called ${request.url()}`);
  });
  await page.goto(url);
  return { page, faults };
}

/** Signs in as a reader does. */
export async function signIn(page: Page, { username, password }: Access): Promise<void> {
  await page.getByLabel('User', { exact: true }).fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** A card of the page, by its heading. */
export function cardOf(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true });
}

/** The exchanges that stand in a card, as they are read. */
export function exchangeOf(page: Page, name: string) {
  return cardOf(page, name).locator('.exchange').first();
}

/** The text of an element as it is seen. */
export function shownIn(place: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not seen, and what is below begins a line
  return place.innerText();
}

/** Goes on by the key until an element has the focus; fails if the whole page has none of this name. */
export async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The key ${key} leads to no ${name}.`);
}

/** What has the focus: the words of its label, or its own. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(
    "(document.activeElement?.labels?.[0] ?? document.activeElement)?.innerText?.split('\\n')[0] ?? ''",
  );
}
