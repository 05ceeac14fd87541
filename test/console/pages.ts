import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

declare global {
  /** The connection of this worker to the browser, and the pages that its test files share. */
  var browserOfWorker: { readonly browser: Promise<Browser>; readonly idle: Map<string, Page[]> } | undefined;
}

const viewport = { width: 1280, height: 720 };

const usual: BrowserContextOptions = {
  viewport,
  timezoneId: 'Europe/Berlin',
  // Axe must not see the colors in the middle of an animation.
  reducedMotion: 'reduce',
};

export interface PageOptions extends BrowserContextOptions {
  /** The time at which the clock of the page begins, in milliseconds. The test controls this clock. */
  readonly clock?: number;
  /** True if the test changes the page in a way that `release` cannot undo. A new page takes four times as long. */
  readonly isNew?: boolean;
}

/** Returns a page in the state of a new one, except for its storage. `release` makes it available for the next test. */
export async function leasePage({ isNew = false, ...options }: PageOptions = {}) {
  globalThis.browserOfWorker ??= {
    browser: chromium.connect(process.env.BROWSER_URL ?? ''),
    idle: new Map(),
  };
  const { browser, idle } = globalThis.browserOfWorker;
  if (isNew) {
    const page = await newPage(await browser, options);
    return { page, release: () => page.context().close() };
  }
  const { viewport: size = viewport, permissions = [], clock, ...kept } = options;
  const key = JSON.stringify({ ...kept, hasClock: clock !== undefined });
  const page = idle.get(key)?.pop() ?? (await newPage(await browser, kept));
  await page.setViewportSize(size ?? viewport);
  if (permissions.length > 0) await page.context().grantPermissions(permissions);
  if (clock !== undefined) {
    await page.clock.install({ time: clock });
    await page.clock.resume();
  }
  const release = async () => {
    page.removeAllListeners();
    for (const other of page.context().pages()) if (other !== page) await other.close();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.emulateMedia({ colorScheme: null });
    if (permissions.length > 0) await page.context().clearPermissions();
    await page.goto('about:blank');
    idle.set(key, [...(idle.get(key) ?? []), page]);
  };
  return { page, release };
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ ...usual, ...options });
  context.setDefaultTimeout(15_000);
  return context.newPage();
}
