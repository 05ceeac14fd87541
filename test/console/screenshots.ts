import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Service, startService } from '../../tools/service.ts';
import { Client } from '../support/client.ts';
import { launchBrowser, openConsole } from './browser.ts';
import findBrowser from './find-browser.ts';
import { createDogs, schemes, showView, sizes, views } from './views.ts';

/** The screenshots of the documentation. */
const documented = ['dog-light-wide', 'dog-dark-wide', 'dog-light-narrow'];

/** The folder for the screenshots of all views. Without it, the program takes those of the documentation. */
const [given] = process.argv.slice(2);
const folder = resolve(given ?? join(import.meta.dirname, '../../docs/screenshots'));

/** Takes the screenshots of what a page shows, in all sizes and color schemes. */
async function takeScreenshots(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of schemes) {
      const file = `${name}-${colorScheme}-${size}`;
      if (!given && !documented.includes(file)) continue;
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate('scrollTo(0, 0)');
      await page.screenshot({ path: join(folder, `${file}.png`) });
    }
}

async function takeAll(browser: Browser, service: Service): Promise<void> {
  const client = new Client(service.access);
  await createDogs(client);
  const { base_url } = service.access;
  const [, link = ''] = /Sign in +(\S+)/.exec(service.output()) ?? [];
  const { page: first } = await openConsole(browser, link);
  await first.getByRole('button', { name: 'Sign out' }).waitFor();
  const credentials: string = await first.evaluate('sessionStorage.credentials');
  for (const [name, view] of Object.entries(views)) {
    if (!given && !documented.some((file) => file.startsWith(`${name}-`))) continue;
    const { page } = await openConsole(browser, base_url);
    await showView(page, view, { client, service, credentials });
    await takeScreenshots(page, name);
    await page.context().close();
  }
  const pages = { docs: `${base_url}/docs`, inbox: JSON.parse(credentials).inbox };
  if (given)
    for (const [name, url] of Object.entries(pages)) {
      await first.goto(url);
      await takeScreenshots(first, name);
    }
}

process.env.BROWSER_REQUIRED = 'yes';
findBrowser();
mkdirSync(folder, { recursive: true });
const service = await startService();
const browser = await launchBrowser();
try {
  await takeAll(browser, service);
} finally {
  await browser.close();
  await service.stop();
  rmSync(service.directory, { recursive: true });
}
