import { spawnSync } from 'node:child_process';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Returns whether a file is a working browser. On some systems, it only prints how to install one. */
function runs(place: string): boolean {
  return spawnSync(place, ['--version']).status === 0;
}

/**
 * Sets `CHROMIUM` to the browser for the tests of the console. Without a browser, the tests are skipped.
 *
 * @throws Error if there is no browser and `BROWSER_REQUIRED` is set
 */
export default function findBrowser(): void {
  process.env.CHROMIUM ||= usualPlaces.find(runs) ?? '';
  if (process.env.CHROMIUM) return;
  const reason = 'because no Chromium is installed. Set CHROMIUM to the path of one.';
  if (process.env.BROWSER_REQUIRED) throw new Error(`The console cannot be tested, ${reason}`);
  console.log(`skipped: the console, ${reason}`);
}
