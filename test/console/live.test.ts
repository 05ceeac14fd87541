import { eventually } from '@rest-actions/local-cloud/testing';
import { skipTime } from '../support/time.ts';
import {
  activities,
  button,
  describeInBrowser,
  describeInDetail,
  dogLink,
  entry,
  heading,
  hide,
  showsCount,
  stage,
  trafficOf,
  watched,
} from './support.ts';

describeInBrowser('The open dog in the console', () => {
  test('is up to date in each of its sections within two seconds after another client makes it bark', async () => {
    const page = await stage.enterDog('dora', undefined, '', { clock: Date.now() });
    const { sent, settle } = trafficOf(page);
    await page.clock.pauseAt(Date.now() + 1_000);
    for (const [i, section] of ['Schedule', 'History', 'Settings'].entries()) {
      await page.getByRole('link', { name: section, exact: true }).click();
      await stage.client.post('/v1/dogs/dora/barks');
      await settle();
      await page.clock.runFor(2_000);
      await showsCount(page, i + 1);
    }
    expect(sent).toContain('GET /v1/dogs/dora/');
  });

  test('shows all past activities of a busy service at once', async () => {
    const count = 500;
    const events = Array.from({ length: count }, (_, n) => {
      const mail = { time: new Date(n * 1_000), type: 'mail', messageId: `${n}`, to: [], subject: 'Woof' };
      return `data: ${JSON.stringify(mail)}\n\n`;
    });
    const page = await stage.follow('#activity', {
      isNew: true,
      prepare: async (opened) => {
        const body = `${events.join('')}event: live\ndata:\n\n`;
        await opened.route('**/activities', (route) =>
          route.fulfill({ contentType: 'text/event-stream', body }),
        );
        await opened.addInitScript(`globalThis.changes = 0;
          new MutationObserver(() => { changes += 1; }).observe(document, { childList: true, subtree: true });`);
      },
    });
    await activities(page)
      .getByRole('listitem')
      .nth(count - 1)
      .waitFor({ state: 'attached' });
    expect(await page.evaluate('globalThis.changes')).toBeLessThan(count / 10);
  });

  test('has activities of all dogs, which the view of activities shows as they happen', async () => {
    await stage.newDog('gina', { email: 'gina@example.com', barkEffects: ['emailDog', 'record'] });
    // The clock of the service may be behind that of the browser.
    await skipTime(stage.access, -10);
    const page = await stage.follow('#activity');
    await dogLink(page, 'gina').getByText('0 counted').waitFor();
    await stage.client.post('/v1/dogs/gina/barks');
    await entry(page, /gina Barked\s*Variant A · POST .* → 201/).waitFor();
    await entry(page, 'Mail to gina@example.com').waitFor();
    await dogLink(page, 'gina')
      .filter({ hasText: /gina\s*1 counted$/ })
      .waitFor();

    await activities(page).getByRole('link', { name: 'gina' }).first().click();
    await heading(page, 'gina').waitFor();
    await entry(page, 'Bark').first().waitFor();
  });
});

describeInDetail('The open dog in the console', () => {
  /** Creates a dog, and opens its view in a page whose clock the test controls. `sent` contains the view's requests. */
  async function openDog(id: string, settings: object = { barkEffects: ['count'] }) {
    await stage.newDog(id, settings);
    const page = await stage.enter('#new', { clock: Date.now() });
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
    test('at most every 1.5 seconds while the page is visible, never while it is hidden, and at once when the user returns', async () => {
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

      // The user is away, and returns.
      await page.clock.fastForward(300_000);
      await run(2);
      expect(await run(10)).toBeLessThanOrEqual(1);
      sent.length = 0;
      await page.keyboard.press('Shift');
      await run(1);
      expect(sent).toHaveLength(1);
    });

    test('with its asynchronous barks, unless the page is hidden or the user has left the dog', async () => {
      const { page, sent, run } = await openDog('eric', { barkEffects: ['record'], barkHandling: 'async' });
      const json = { timestamp: null, status: 'pending' };
      await page.route('**/barks/a*', (route) => route.fulfill({ json }));
      const reads = () => sent.filter((one) => one.includes('/barks/a')).length;
      await button(page, 'Bark').click();
      await watched(page).getByText('The service has accepted the bark.').waitFor();
      await hide(page, true);
      // A read that began before the page was hidden can still be in progress.
      await run(2);
      sent.length = 0;
      await run(10);
      expect(reads()).toBe(0);
      await hide(page, false);
      await eventually(async () => expect(reads()).toBe(1));
      await page.evaluate("location.hash = '#dogs/record-sync'");
      await run(1);
      sent.length = 0;
      await run(10);
      expect(reads()).toBe(0);
    });

    test('rarely while the service does not respond, and then never while the page is hidden', async () => {
      const { page, run } = await openDog('felix');
      await page.route('**/v1/**', (route) => route.abort('connectionrefused'));
      await run(3);
      await page.locator('.banner[role=alert]').waitFor();
      const requests = await run(30);
      expect(requests).toBeGreaterThan(10);
      expect(requests).toBeLessThan(20);
      await hide(page, true);
      await run(5);
      expect(await run(15)).toBe(0);
    });
  });
});
