import { eventually } from '../support/client.ts';
import { skipTime } from '../support/time.ts';
import { activities, entry, showsCount } from './dog.ts';
import { button, describeInBrowser, dogLink, heading, Stage, shownIn, trafficOf } from './support.ts';

describeInBrowser('The open dog in the console', () => {
  const stage = new Stage();

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
    const request = {
      type: 'request',
      method: 'POST',
      path: '/v1/dogs/rex/barks',
      status: 201,
      durationMs: 1,
    };
    const events = Array.from({ length: count }, (_, n) => {
      const event = { ...request, time: new Date(n * 1_000).toISOString(), requestId: `${n}` };
      return `data: ${JSON.stringify(event)}\n\n`;
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

  test('does not show a deleted dog again when an earlier read of the dog ends late', async () => {
    await stage.newDog('hugo');
    const page = await stage.follow('#activity');
    await dogLink(page, 'hugo').waitFor();
    let sendLate: (() => Promise<void>) | undefined;
    await page.route('**/v1/dogs/hugo/', async (route) => {
      if (sendLate) return route.continue();
      sendLate = () => Promise.reject(new Error('The service has not responded yet.'));
      const response = await route.fetch();
      sendLate = () => route.fulfill({ response });
    });
    await stage.client.post('/v1/dogs/hugo/barks');
    await eventually(async () => expect(sendLate).toBeDefined());
    await stage.client.delete('/v1/dogs/hugo/');
    await dogLink(page, 'hugo').waitFor({ state: 'detached' });
    await page.evaluate(`globalThis.isBack = false;
      new MutationObserver(() => { isBack ||= Boolean(document.querySelector('[data-dog=hugo]')); })
        .observe(document, { childList: true, subtree: true });`);
    await eventually(async () => sendLate?.());
    await stage.newDog('ida');
    await dogLink(page, 'ida').waitFor();
    expect(await page.evaluate('globalThis.isBack')).toBe(false);
  });

  test('has activities of all dogs, which the view of activities shows as they happen', async () => {
    await stage.newDog('gina', { email: 'gina@example.com', barkEffects: ['emailDog', 'record'] });
    // The clock of the service may be behind that of the browser.
    await skipTime(stage.access, -10);
    const page = await stage.follow('#activity');
    await dogLink(page, 'gina').getByText('0 counted').waitFor();
    await stage.client.post('/v1/dogs/gina/barks');
    await entry(page, /gina Bark complete\s*Variant A · POST .* → 201/).waitFor();
    await entry(page, 'Mail to gina@example.com').waitFor();
    await dogLink(page, 'gina')
      .filter({ hasText: /gina\s*1 counted$/ })
      .waitFor();

    const accepted = await stage.client.post('/v1/dogs/gina/barks', undefined, { Prefer: 'respond-async' });
    await stage.client.delete(accepted.headers.get('Location') ?? '');
    await entry(page, 'gina Bark accepted').waitFor();
    await entry(page, 'gina Bark cancelled').waitFor();

    const since = { 'If-Unmodified-Since': new Date().toUTCString() };
    await stage.client.patch('/v1/dogs/gina/', { barks: { next: 0, frequency: 10 } }, since);
    await entry(page, 'gina Schedule changed').waitFor();

    await button(page, 'Mail').click();
    expect(await shownIn(activities(page))).not.toContain('Bark cancelled');
    await button(page, 'Pause').click();
    await stage.client.post('/v1/dogs/gina/barks');
    await page.getByRole('button', { name: /^Resume \(\d+ new\)$/ }).click();
    await button(page, 'All').click();
    await activities(page).getByRole('link', { name: 'gina' }).first().click();
    await heading(page, 'gina').waitFor();
    await entry(page, 'Bark').first().waitFor();
  });
});
