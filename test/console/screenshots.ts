import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { findChromium, launchChromium, noBrowser } from '../../tools/browser.ts';
import { type Service, startService } from '../../tools/service.ts';
import { Client } from '../support/client.ts';
import { load } from './browser.ts';
import { followSignInLink } from './sign-in.ts';
import { createDogs, schemes, sizes, type View, views } from './views.ts';

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
  const { address: _, ...link } = await followSignInLink(service);
  const password = { user: service.access.username, password: service.access.password };
  const credentials = { none: undefined, password, link };
  for (const [name, view] of Object.entries<View>(views)) {
    if (!given && !documented.some((file) => file.startsWith(`${name}-`))) continue;
    const page = await browser.newPage();
    const url = `${base_url}/${view.address}`;
    await load(page, url, { credentials: credentials[view.session ?? 'link'] });
    await view.show(page, client, service.access);
    await takeScreenshots(page, name);
    await page.close();
  }
  const pages = { docs: `${base_url}/docs`, inbox: `${base_url}${link.inbox}` };
  if (given)
    for (const [name, url] of Object.entries(pages)) {
      const page = await browser.newPage();
      await page.goto(url);
      await takeScreenshots(page, name);
    }
}

const executablePath = findChromium();
if (executablePath === undefined) throw new Error(`There are no screenshots, ${noBrowser}`);
mkdirSync(folder, { recursive: true });
const service = await startService();
const browser = await launchChromium(executablePath);
try {
  await takeAll(browser, service);
} finally {
  await browser.close();
  await service.stop();
  rmSync(service.directory, { recursive: true });
}
