import type { Page } from 'playwright-core';
import { dogAt, eventually } from '../../support/client.ts';
import { skipTime } from '../../support/time.ts';
import { entry, facts, showsCount } from '../dog.ts';
import { button, describeInBrowser, Stage, trafficOf } from '../support.ts';

describeInBrowser('The open dog in the console', () => {
  const stage = new Stage();

  /** Creates a dog, and opens its view in a page whose clock the test controls. `sent` has the requests of the view. */
  async function openDog(id: string, settings: object = { barkEffects: ['count'] }) {
    await stage.newDog(id, settings);
    const page = await stage.enter('#requests', { clock: Date.now() });
    await page.clock.pauseAt(Date.now() + 1_000);
    const { sent, settle } = trafficOf(page);
    /** Runs the clock of the page, and waits for the responses after each half second. */
    const run = async (seconds: number): Promise<number> => {
      const before = sent.length;
      for (let step = 0; step < seconds * 2; step++) {
        await page.clock.runFor(500);
        await settle();
      }
      return sent.length - before;
    };
    await page.evaluate(`location.hash = '#dogs/${id}'`);
    await run(1);
    await showsCount(page, 0);
    return { page, sent, run };
  }

  describe('is read', () => {
    const hide = (page: Page, isHidden: boolean) =>
      page.evaluate(`{
        Object.defineProperty(document, 'hidden', { get: () => ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }`);

    test('at most every 1.5 seconds while the page is visible, and never while it is hidden', async () => {
      const { page, sent, run } = await openDog('ella');
      await run(2);
      const conditional = page.waitForResponse(
        async (response) =>
          response.status() === 304 && (await response.request().sizes()).responseBodySize === 0,
      );
      const reads = await run(15);
      expect(reads).toBeGreaterThanOrEqual(7);
      expect(reads).toBeLessThanOrEqual(10);
      expect(new Set(sent)).toEqual(new Set(['GET /v1/dogs/ella/']));
      await conditional;

      await hide(page, true);
      await run(2);
      expect(await run(10)).toBe(0);
      sent.length = 0;
      await hide(page, false);
      await run(1);
      expect(sent).toHaveLength(1);
    });

    test('at once when the user returns after a while', async () => {
      const { page, sent, run } = await openDog('emma');
      await run(2);
      await page.clock.fastForward(300_000);
      await run(2);
      expect(await run(10)).toBeLessThanOrEqual(1);
      sent.length = 0;
      await page.keyboard.press('Shift');
      await run(1);
      expect(sent).toHaveLength(1);
    });

    test('at most twice in a second, however often it barks', async () => {
      const { page, sent, run } = await openDog('flo');
      await run(2);
      sent.length = 0;
      for (let barks = 1; barks <= 4; barks++) {
        await button(page, 'Bark').click();
        await page.locator('.badge[aria-busy]').waitFor({ state: 'detached' });
      }
      // The clock of the page has not moved since the first bark.
      const reads = () => sent.filter((one) => one === 'GET /v1/dogs/flo/').length;
      expect(reads()).toBeLessThanOrEqual(1 + 4);
      const before = reads();
      await run(1);
      await showsCount(page, 4);
      expect(reads() - before).toBeLessThanOrEqual(2);
    });
  });

  test('has activities that the console derives from its reads if it does not know the activity stream', async () => {
    const { page, run } = await openDog('hugo', { barkEffects: ['record'] });
    await page.getByText('No activity yet.').waitFor();
    await stage.client.post('/v1/dogs/hugo/barks');
    await run(2);
    await entry(page, 'Bark complete').waitFor();

    const since = { 'If-Unmodified-Since': new Date().toUTCString() };
    const next = Math.floor(Date.now() / 1000) + 60;
    const { status } = await stage.client.patch('/v1/dogs/hugo/', { barks: { next } }, since);
    expect(status).toBeLessThan(300);
    await run(2);
    await entry(page, 'Schedule set').waitFor();
    await skipTime(stage.access, 60);
    await eventually(async () =>
      expect(await dogAt(stage.client, '/v1/dogs/hugo/')).toMatchObject({ barkCount: 2 }),
    );
    await run(2);
    await entry(page, 'Occurrence delivered').waitFor();
    await facts(page).getByText('none', { exact: true }).waitFor();
  });
});
