import { eventually } from '../support/client.ts';
import { button, cardOf, describeInBrowser, focused, heading, Stage } from './support.ts';

describeInBrowser('The console', () => {
  const stage = new Stage();

  test('has a title and one heading for each view, and the heading gets the focus', async () => {
    const page = await stage.enter();
    for (const [address, title, name = title] of [
      ['#activity', 'Activity'],
      ['#requests', 'Requests'],
      ['#tokens', 'Tokens'],
      ['#new', 'New dog'],
      ['#dogs/count-sync', 'count-sync'],
      ['#dogs/record-sync/schedule', 'record-sync, schedule', 'record-sync'],
      ['#', 'Home', 'Make a dog bark without a verb in the URL'],
    ] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
      await heading(page, name).waitFor();
      // The page refuses the code that Playwright's waitForFunction evaluates again and again.
      await eventually(async () => expect(await page.title()).toBe(`${title} – Dog service`), {
        interval: 2,
      });
      expect([address, await page.getByRole('heading', { level: 1 }).count()]).toEqual([address, 1]);
      expect([address, await focused(page)]).toEqual([address, name]);
    }
  });

  test('follows the back and the forward button of the browser', async () => {
    const page = await stage.enter('#dogs/count-sync');
    const current = page.locator('.dog-list [aria-current=page]');
    await current.getByText('count-sync').waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: 'record-sync' }).click();
    await current.getByText('record-sync').waitFor();
    await page.goBack();
    await current.getByText('count-sync').waitFor();
    await page.locator('.sections [aria-current=page]', { hasText: 'History' }).waitFor();
    await page.goBack();
    await cardOf(page, 'Make it bark').waitFor();
    await page.goForward();
    await page.goForward();
    await current.getByText('record-sync').waitFor();
  });

  test('creates the example dog on the home page, and selects the variant even if the draft has another one', async () => {
    await stage.client.delete('/v1/dogs/rex/');
    const page = await stage.enter();
    for (const [variant, radio, other] of [
      ['A', /^POST barks/, /^POST bark\b/],
      ['A', /^POST barks/, /^POST bark\b/],
      ['B', /^PATCH the dog/, /^POST bark-schedule/],
      ['C', /^POST bark-schedule/, /^PATCH the dog/],
    ] as const) {
      await button(page, `Try variant ${variant}`).click();
      await heading(page, 'rex').waitFor();
      expect([variant, await page.getByRole('radio', { name: radio }).isChecked()]).toEqual([variant, true]);
      await page.getByRole('radio', { name: other }).check();
      await page.getByRole('link', { name: 'Home', exact: true }).click();
    }
  });
});
