import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Locator, Page, ViewportSize } from 'playwright-core';
import type { Access } from '../../tools/service.ts';
import type { Credentials } from '../../web/shared/credentials.ts';
import { Client } from '../support/client.ts';
import { sharedAccess } from '../support/shared-service.ts';
import { skipTime, timeOf } from '../support/time.ts';
import { button, errorsOf, load, sizes } from './browser.ts';
import { leasePage, type PageOptions } from './pages.ts';
import { type SignIn, sharedSignIn } from './sign-in.ts';

export * from './browser.ts';

/** Defines tests that need a browser. Without one, they are skipped, and `start.ts` logs the reason. */
export const describeInBrowser = process.env.BROWSER_URL ? describe : describe.skip;

/** Like `describeInBrowser`, but `npm test` skips these tests to be fast. */
export const describeInDetail = process.env.TESTS === 'all' ? describeInBrowser : describe.skip;

export interface StageOptions extends PageOptions {
  readonly credentials?: Credentials;
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** The pages of a test file, which show the service of the worker. Checks after each test that the pages had no errors. */
class Stage {
  private readonly opened: { readonly release: () => Promise<unknown>; readonly errors: string[] }[] = [];

  constructor() {
    beforeEach(() => this.setClock());
    afterEach(async () => {
      const opened = this.opened.splice(0);
      await Promise.all(opened.map((lease) => lease.release()));
      expect(opened.flatMap(({ errors }) => errors)).toEqual([]);
    });
  }

  get access(): Access {
    return sharedAccess('console');
  }

  get signIn(): SignIn {
    return sharedSignIn();
  }

  /** The URL of the inbox, to which the path in the sign-in redirects. */
  get inboxUrl(): string {
    return new URL('.', this.access.mail_url).href;
  }

  get client(): Client {
    return new Client(this.access);
  }

  /** Creates a dog. First deletes another test's dog with the same ID. */
  async newDog(id: string, settings: object = { barkEffects: ['record'] }): Promise<void> {
    await this.client.delete(`/v1/dogs/${id}/`);
    expect(await this.client.put(`/v1/dogs/${id}/`, settings)).toMatchObject({ status: 201 });
  }

  /** Opens a page. @param address the part of the URL after the URL of the service, or a complete URL */
  async open(address = '', { prepare, credentials, ...options }: StageOptions = {}): Promise<Page> {
    const url = new URL(address, `${this.access.base_url}/`).href;
    const { page, release } = await leasePage(options);
    this.opened.push({ release, errors: errorsOf(page, url) });
    await prepare?.(page);
    await load(page, url, credentials);
    return page;
  }

  async enter(address = '', options: StageOptions = {}): Promise<Page> {
    const { username: user, password } = this.access;
    return this.openSignedIn(address, { credentials: { user, password }, ...options });
  }

  /** Creates a dog and opens its view for a user with the password. @param view `/` and the name of another view of the dog */
  async enterDog(id: string, settings?: object, view = '', options?: StageOptions): Promise<Page> {
    await this.newDog(id, settings);
    return this.enter(`#dogs/${id}${view}`, options);
  }

  /** Opens the console for a user of the sign-in link. The page then knows the inbox and the activity stream. */
  async follow(address = '', options: StageOptions = {}): Promise<Page> {
    const { address: _, ...credentials } = this.signIn;
    return this.openSignedIn(address, { credentials, ...options });
  }

  /** Makes the dog of a page bark asynchronously, and sets the clock back, so that the bark remains pending for a minute. */
  async barkAndHold(page: Page): Promise<void> {
    await Promise.all([page.waitForResponse(/\/barks$/), button(page, 'Bark').click()]);
    await skipTime(this.access, -60);
  }

  private async openSignedIn(address: string, options: StageOptions): Promise<Page> {
    const page = await this.open(address, options);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    return page;
  }

  /** Sets the clock of the service, which another test may have advanced, to that of the browser. */
  private async setClock(): Promise<void> {
    const aheadMs = (await timeOf(this.access)) - Date.now();
    if (Math.abs(aheadMs) > 1_000) await skipTime(this.access, -aheadMs / 1000);
  }
}

export const stage = new Stage();

/** Checks that a state of a page is accessible in a window of any size, in light and dark. */
export async function expectAccessibleState(page: Page): Promise<void> {
  await expectFits(page);
  await expectAccessible(page);
  await page.setViewportSize(sizes.narrow);
  // A narrow window has other elements, but not other colors.
  await expectNoViolation(page, { rules: { 'color-contrast': { enabled: false } } });
}

/** Checks that elements are completely visible in windows that have not been scrolled. */
export async function expectInWindow(
  page: Page,
  windows: readonly ViewportSize[],
  elements: readonly Locator[],
): Promise<void> {
  for (const window of windows) {
    await page.setViewportSize(window);
    expect(await page.evaluate('scrollY')).toBe(0);
    for (const element of elements) {
      const { x = -1, y = -1, width = 0, height = 0 } = (await element.boundingBox()) ?? {};
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(window.width);
      expect(y + height).toBeLessThanOrEqual(window.height);
    }
  }
}

/** Checks that nothing is wider than a window of any size, and that on a phone all targets are large enough for a finger. */
export async function expectFits(page: Page): Promise<void> {
  for (const { width, height } of [sizes.medium, sizes.narrow, sizes.wide]) {
    await page.setViewportSize({ width, height });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    if (width === sizes.narrow.width) expect(await smallTargets(page)).toEqual([]);
  }
}

/** Checks that a page is accessible in the current size of its window, in light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoViolation(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolation(page, { runOnly: ['color-contrast'] });
}

/** Axe without comments and long names, which the browser would have to receive and parse for each page. */
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

async function expectNoViolation(page: Page, options: RunOptions = {}): Promise<void> {
  if (await page.evaluate('!globalThis.axe')) await page.evaluate(axe);
  const results: AxeResults = await page.evaluate(
    `axe.run(${JSON.stringify({ resultTypes: ['violations'], preload: false, ...options })})`,
  );
  const { violations, passes } = results;
  expect(
    violations.map(({ id, nodes }) => [
      id,
      nodes.map(({ target, failureSummary }) => [target, failureSummary]),
    ]),
  ).toEqual([]);
  expect(passes.length).toBeGreaterThan(options.runOnly ? 0 : 10);
}

export { expectNoViolation }; // @extension docs

/** Returns the controls that are lower than 44 pixels. A pseudo-element can extend a control to the whole row. */
function smallTargets(page: Page): Promise<string[]> {
  const controls = 'button, .button, summary, label, nav a, header a, select, input, textarea';
  return page.evaluate(`[...document.querySelectorAll('${controls}')]
    .filter((target) => !target.closest('label') || target.matches('label:has(input)'))
    .filter((target) => target.checkVisibility())
    .filter((target) => target.getBoundingClientRect().height < 43.9)
    .filter((target) => !(parseFloat(getComputedStyle(target, '::after').height) >= 43.9))
    .map((target) => target.outerHTML.slice(0, 80))`);
}
