import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { fail, readCommandLine } from '../../lib/command-line.ts';
import { load, sizes } from '../../test/console/browser.ts';
import { keepSignIn } from '../../test/console/sign-in.ts';
import { createDogs, type View, views } from '../../test/console/views.ts';
import { Client } from '../../test/support/client.ts';
import { findChromium, launchChromiumServer, noBrowser } from '../../tools/browser.ts';
import { startService } from '../../tools/service.ts';

const documented = ['dog-light-wide', 'dog-dark-wide', 'dog-light-narrow'];

const usage = `npm run screenshots --prefix proof [-- <folder>]

Takes the screenshots of the documentation or, with a folder, those of all views of the console. Needs Chromium.`;

const [given, ...more] = readCommandLine(usage, {}, true).positionals;
if (given === '' || more.length > 0) fail('Specify one folder.');
const isTaken = (file: string) => given !== undefined || documented.includes(file);

const folder = given === undefined ? import.meta.dirname : resolve(process.env.INIT_CWD ?? '', given);
const executablePath = findChromium();
if (executablePath === undefined) throw new Error(`There are no screenshots, ${noBrowser}`);
mkdirSync(folder, { recursive: true });
const service = await startService();
const server = await launchChromiumServer(executablePath);
try {
  const browser = await chromium.connect(server.wsEndpoint());
  const { access } = service;
  await createDogs(new Client(access));
  const { address: _, ...link } = await keepSignIn(service);
  const password = { user: access.username, password: access.password };
  const credentials = { none: undefined, password, link };
  const shots = Object.entries(sizes).flatMap(([size, viewport]) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ colorScheme, size, viewport })),
  );
  for (const [name, view] of Object.entries<View>(views)) {
    const taken = shots
      .map((shot) => ({ ...shot, file: `${name}-${shot.colorScheme}-${shot.size}` }))
      .filter(({ file }) => isTaken(file));
    if (taken.length === 0) continue;
    const page = await browser.newPage();
    await load(page, `${access.base_url}/${view.address}`, credentials[view.session ?? 'link']);
    for (const step of view.steps) await step(page, access);
    for (const { colorScheme, viewport, file } of taken) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate('scrollTo(0, 0)');
      await page.screenshot({ path: join(folder, `${file}.png`) });
    }
    await page.close();
  }
} finally {
  await server.close();
  await service.stop();
  rmSync(service.directory, { recursive: true });
}
