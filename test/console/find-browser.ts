import { existsSync } from 'node:fs';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Sets `CHROMIUM` to the browser that the tests of the page use; without one they are skipped, or fail where one is demanded. */
export default function findBrowser(): void {
  process.env.CHROMIUM ||= usualPlaces.find((place) => existsSync(place)) ?? '';
  if (process.env.CHROMIUM) return;
  const missing = 'because there is no Chromium; CHROMIUM may name one';
  if (process.env.BROWSER_REQUIRED) throw new Error(`The page at the root cannot be tested, ${missing}.`);
  console.log(`skipped: the page at the root, ${missing}`);
}
