import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findChromium, launchChromium, noBrowser } from '../../tools/browser.ts';
import { startService } from '../../tools/service.ts';
import { Client } from '../support/client.ts';
import { load } from './browser.ts';
import { followSignInLink } from './sign-in.ts';
import { createDogs, sizes, views } from './views.ts';

/** The screenshots of the documentation. */
const screenshots = [
  ['light', 'wide'],
  ['dark', 'wide'],
  ['light', 'narrow'],
] as const;

const folder = resolve(import.meta.dirname, '../../docs/screenshots');
const executablePath = findChromium();
if (executablePath === undefined) throw new Error(`There are no screenshots, ${noBrowser}`);
const service = await startService();
const browser = await launchChromium(executablePath);
try {
  const { access } = service;
  await createDogs(new Client(access));
  const { address: _, ...credentials } = await followSignInLink(service);
  const page = await browser.newPage();
  await load(page, `${access.base_url}/${views.dog.address}`, { credentials });
  for (const step of views.dog.steps) await step(page, access);
  for (const [colorScheme, size] of screenshots) {
    await page.setViewportSize(sizes[size]);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate('scrollTo(0, 0)');
    await page.screenshot({ path: join(folder, `dog-${colorScheme}-${size}.png`) });
  }
} finally {
  await browser.close();
  await service.stop();
  rmSync(service.directory, { recursive: true });
}
