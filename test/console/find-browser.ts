import { spawnSync } from 'node:child_process';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Whether there is a browser; at some of these places is a program that only tells how to get one. */
function runs(place: string): boolean {
  return spawnSync(place, ['--version']).status === 0;
}

/** Sets `CHROMIUM` to the browser that the tests of the page use; without one they are skipped, or fail where one is demanded. */
export default function findBrowser(): void {
  process.env.CHROMIUM ||= usualPlaces.find(runs) ?? '';
  if (process.env.CHROMIUM) return;
  const missing = 'because there is no Chromium; CHROMIUM may name one';
  if (process.env.BROWSER_REQUIRED) throw new Error(`The page at the root cannot be tested, ${missing}.`);
  console.log(`skipped: the page at the root, ${missing}`);
}
