import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Service, startService } from '../../tools/service.ts';
import { Client } from '../support/client.ts';
import { cardOf, launchBrowser, openConsole, signIn } from './browser.ts';
import findBrowser from './find-browser.ts';

const folder = resolve(import.meta.dirname, '../../docs/screenshots');
const sizes = { wide: { width: 1280, height: 1000 }, narrow: { width: 390, height: 844 } };

/** Creates a dog with barks and a schedule. */
async function prepare(client: Client): Promise<void> {
  const settings = { email: 'rex@example.com', barkEffects: ['emailDog', 'record'], barkHandling: 'sync' };
  await client.put('/v1/dogs/rex/', settings);
  for (const message of ['Good morning', 'The postman is here'])
    await client.post('/v1/dogs/rex/barks', { message });
  const next = Math.floor(Date.now() / 1000) + 240;
  const since = { 'If-Unmodified-Since': new Date().toUTCString() };
  await client.patch('/v1/dogs/rex/', { barks: { next, frequency: 10 } }, since);
}

async function show(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'rex' }).click();
  await page.getByLabel('message').fill('The postman is here');
  await page.getByRole('button', { name: 'Bark', exact: true }).click();
  await cardOf(page, 'Make it bark').getByText('The dog barked').waitFor();
  await cardOf(page, 'Recorded barks').locator('li').first().waitFor();
  await page.evaluate('document.activeElement.blur()');
  await page.evaluate('scrollTo(0, 0)');
}

async function takeScreenshots(browser: Browser, { access }: Service): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [size, viewport] of Object.entries(sizes)) {
      const { page } = await openConsole(browser, access.base_url, { colorScheme, viewport });
      await signIn(page, access);
      await show(page);
      await page.screenshot({ path: join(folder, `console-${colorScheme}-${size}.png`) });
      await page.context().close();
    }
}

process.env.BROWSER_REQUIRED = 'yes';
findBrowser();
const service = await startService();
const browser = await launchBrowser();
try {
  await prepare(new Client(service.access));
  await takeScreenshots(browser, service);
} finally {
  await browser.close();
  await service.stop();
  rmSync(service.directory, { recursive: true });
}
