import { findChromium, noBrowser } from '../../tools/browser.ts';

/**
 * Sets `CHROMIUM` to the path of the browser for the tests of the console. Without a browser, the tests are skipped.
 *
 * @throws Error if there is no browser and `BROWSER_REQUIRED` is set
 */
export default function findBrowser(): void {
  process.env.CHROMIUM = findChromium() ?? '';
  if (process.env.CHROMIUM) return;
  if (process.env.BROWSER_REQUIRED) throw new Error(`The tests of the console cannot run, ${noBrowser}`);
  console.log(`The tests of the console are skipped, ${noBrowser}`);
}
