import type { BrowserServer } from 'playwright-core';
import { findChromium, launchChromiumServer, noBrowser } from '../../tools/browser.ts';
import { startServices, type Workers } from '../support/start-service.ts';
import { keepSignIn } from './sign-in.ts';

declare global {
  var browserServer: BrowserServer | undefined;
}

/** Starts the browser and the services. The tests are skipped without a browser, or if `ACCESS_FILE` names a service. */
export default async function start(workers: Workers): Promise<void> {
  if (process.env.ACCESS_FILE) return skip('because they need a service of their own.');
  const chromium = findChromium();
  if (chromium === undefined) return skip(noBrowser);
  const [server, services] = await Promise.all([
    launchChromiumServer(chromium),
    startServices('console', workers),
  ]);
  globalThis.browserServer = server;
  process.env.BROWSER_URL = server.wsEndpoint();
  await Promise.all(services.map(keepSignIn));
}

/** @param reason the end of a sentence */
function skip(reason: string): void {
  if (process.env.BROWSER_REQUIRED) throw new Error(`The tests of the console cannot run, ${reason}`);
  console.log(`The tests of the console are skipped, ${reason}`);
}
