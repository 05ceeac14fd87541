import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Service } from '../../tools/service.ts';
import { start, temporaryDirectory } from '../start/support.ts';
import { Client } from '../support/client.ts';
import { type Console, launchBrowser, openConsole, signIn } from './browser.ts';
import { sizes } from './views.ts';

export * from './browser.ts';

/** Defines tests that need a browser. Without one, they are skipped, and `findBrowser` logs the reason. */
export const describeInBrowser = process.env.CHROMIUM ? describe : describe.skip;

export const settings = ['cancellationWindowSeconds=2', 'authorizerCacheSeconds=0'];

/** A service and a browser for one test file. After each test, it checks that the opened pages had no errors. */
export class Stage {
  private started: Service | undefined;
  private launched: Browser | undefined;
  private readonly opened: Console[] = [];

  constructor() {
    beforeAll(async () => {
      this.started = await start(temporaryDirectory(), { settings });
      this.launched = await launchBrowser();
    });
    afterEach(async () => {
      const consoles = this.opened.splice(0);
      for (const { page } of consoles) await page.context().close();
      expect(consoles.flatMap(({ errors }) => errors)).toEqual([]);
    });
    afterAll(() => this.launched?.close());
  }

  get service(): Service {
    if (!this.started) throw new Error('The service has not started yet.');
    return this.started;
  }

  get client(): Client {
    return new Client(this.service.access);
  }

  /** Opens the console. @param address the part of the URL after the root */
  async open(address = '', options?: BrowserContextOptions, url = this.service.access.base_url) {
    if (!this.launched) throw new Error('The browser has not started yet.');
    const opened = await openConsole(this.launched, `${url}/${address}`, options);
    this.opened.push(opened);
    return opened.page;
  }

  /** Opens the console with the sign-in link, which works once. The page then knows the inbox. */
  async follow(address = '') {
    const [, link = ''] = /Sign in +(\S+)/.exec(this.service.output()) ?? [];
    const { base_url } = this.service.access;
    if (!this.launched) throw new Error('The browser has not started yet.');
    const opened = await openConsole(this.launched, link, {}, new URL(base_url).origin);
    this.opened.push(opened);
    await opened.page.getByRole('button', { name: 'Sign out' }).waitFor();
    if (address) await opened.page.goto(`${base_url}/${address}`);
    return opened.page;
  }

  /** Opens the console and signs in. */
  async enter(address = '', options?: BrowserContextOptions, url?: string) {
    const page = await this.open(address, options, url);
    await signIn(page, this.service.access);
    return page;
  }
}

/**
 * Checks that axe finds no violation, that nothing is wider than the window and that, on a phone, all targets are large enough
 * for a finger.
 */
async function expectAccessible(page: Page, width: number): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  if (width < 500) expect(await smallTargets(page)).toEqual([]);
  await expectNoViolation(page);
}

/** Checks the accessibility of a page in each size of a window, in light and dark. */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  for (const viewport of Object.values(sizes)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: 'light' });
    await expectAccessible(page, viewport.width);
    await page.emulateMedia({ colorScheme: 'dark' });
    // The other rules do not depend on the color scheme.
    await expectNoViolation(page, ['color-contrast']);
  }
}

/** Checks that axe finds no violation. @param runOnly the names of the rules. By default, axe checks all rules */
async function expectNoViolation(page: Page, runOnly?: string[]): Promise<void> {
  if (await page.evaluate('!globalThis.axe')) await page.evaluate(axe.source);
  const options: RunOptions = { resultTypes: ['violations'], ...(runOnly && { runOnly }) };
  const results: AxeResults = await page.evaluate(`axe.run(${JSON.stringify(options)})`);
  const { violations, passes } = results;
  expect(
    violations.map(({ id, nodes }) => [
      id,
      nodes.map(({ target, failureSummary }) => [target, failureSummary]),
    ]),
  ).toEqual([]);
  expect(passes.length).toBeGreaterThan(runOnly ? 0 : 10);
}

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
