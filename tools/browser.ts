import { spawnSync } from 'node:child_process';
import { type BrowserServer, chromium } from 'playwright-core';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Why something that needs a browser cannot run, as the end of a sentence. */
export const noBrowser = 'because Chromium is not installed. Set CHROMIUM to the path of a browser.';

/** Returns the path of Chromium, or undefined if there is none. `CHROMIUM` takes precedence over the usual places. */
export function findChromium(): string | undefined {
  return process.env.CHROMIUM || usualPlaces.find(runs);
}

/** Returns true if the program starts. On some systems, it only prints how to install a browser, and then fails. */
function runs(place: string): boolean {
  return spawnSync(place, ['--version']).status === 0;
}

/** Other processes and threads can connect to this browser. */
export function launchChromiumServer(executablePath: string): Promise<BrowserServer> {
  return chromium.launchServer({ executablePath, args: browserArguments });
}
