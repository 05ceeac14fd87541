import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Service } from '../../tools/service.ts';
import { start, temporaryDirectory } from '../start/support.ts';
import { Client } from '../support/client.ts';
import { type Console, launchBrowser, openConsole, signIn } from './browser.ts';

export * from './browser.ts';

/** Skipped where there is no browser, as was told. */
export const describeInBrowser = process.env.CHROMIUM ? describe : describe.skip;

export const settings = ['cancellationWindowSeconds=2', 'authorizerCacheSeconds=0'];

/** A service and a browser for one test file; each page that a test opens is held to what a page must not do. */
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
      expect(consoles.flatMap(({ faults }) => faults)).toEqual([]);
    });
    afterAll(() => this.launched?.close());
  }

  get service(): Service {
    if (!this.started) throw new Error('There is no service yet.');
    return this.started;
  }

  get client(): Client {
    return new Client(this.service.access);
  }

  /** Opens the page, at an address of its own. */
  async open(address = '', options?: BrowserContextOptions, url = this.service.access.base_url) {
    if (!this.launched) throw new Error('There is no browser yet.');
    const opened = await openConsole(this.launched, `${url}/${address}`, options);
    this.opened.push(opened);
    return opened.page;
  }

  /** Opens the page, and signs in. */
  async enter(address = '', options?: BrowserContextOptions, url?: string) {
    const page = await this.open(address, options, url);
    await signIn(page, this.service.access);
    return page;
  }
}
