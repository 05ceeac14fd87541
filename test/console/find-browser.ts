import { spawnSync } from 'node:child_process';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Returns true if a file is a working browser. On some systems, the file only prints how to install a browser. */
function runs(place: string): boolean {
  return spawnSync(place, ['--version']).status === 0;
}

/**
 * Sets `CHROMIUM` to the path of the browser for the tests of the console. Without a browser, the tests are skipped.
 *
 * @throws Error if there is no browser and `BROWSER_REQUIRED` is set
 */
export default function findBrowser(): void {
  process.env.CHROMIUM ||= usualPlaces.find(runs) ?? '';
  if (process.env.CHROMIUM) return;
  const reason = 'because Chromium is not installed. Set CHROMIUM to the path of a browser.';
  if (process.env.BROWSER_REQUIRED) throw new Error(`The tests of the console cannot run, ${reason}`);
  console.log(`The tests of the console are skipped, ${reason}`);
}
