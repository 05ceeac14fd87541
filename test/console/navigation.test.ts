import type { Page } from 'playwright-core';
import { eventually } from '../support/client.ts';
import {
  button,
  describeInBrowser,
  describeInDetail,
  dogLink,
  expectFocus,
  heading,
  showsCount,
  stage,
} from './support.ts';

const tryVariant = (page: Page, variant: string) => button(page, `Try variant ${variant}`).click();

describeInBrowser('The console', () => {
  test('has a title for each view, and one heading, which gets the focus, and follows the back button', async () => {
    const page = await stage.enter();
    for (const [address, title, name = title] of [
      ['#activity', 'Activity'],
      ['#requests', 'Requests'],
      ['#tokens', 'Tokens'],
      ['#new', 'New dog'],
      ['#dogs', 'Dogs'],
      ['#elsewhere', 'Unknown view'],
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
      await expectFocus(page, name);
    }
    await page.goBack();
    await heading(page, 'record-sync').waitFor();
    await page.locator('.dog-list [aria-current=page]', { hasText: 'record-sync' }).waitFor();
    await page.locator('.sections [aria-current=page]', { hasText: 'Schedule' }).waitFor();
    await page.goForward();
    await heading(page, 'Make a dog bark without a verb in the URL').waitFor();
  });

  test('has the list of dogs one tap away from a dog on a phone', async () => {
    const page = await stage.enter('#dogs/count-sync', { viewport: { width: 390, height: 844 } });
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Dogs' }).click();
    const first = page.getByRole('navigation', { name: 'Dogs' }).getByRole('link').first();
    await first.waitFor();
    expect((await first.boundingBox())?.y).toBeLessThan(844);
    await dogLink(page, 'record-sync').click();
    await heading(page, 'record-sync').waitFor();
  });

  test('lists its shortcuts in a dialog that the key ? opens, except in a field', async () => {
    const page = await stage.enter('#dogs/count-sync');
    await page.getByLabel('Message').press('?');
    const dialog = page.getByRole('dialog', { name: 'Shortcuts' });
    expect(await dialog.isVisible()).toBe(false);
    await heading(page, 'count-sync').focus();
    await page.keyboard.press('?');
    await dialog.getByText('Search dogs, views and the documentation').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  test('makes the example dog bark on the home page, and shows the request, whatever the draft has', async () => {
    await stage.client.delete('/v1/dogs/rex/');
    const page = await stage.enter();
    for (const [i, [variant, radio, other, request]] of (
      [
        ['A', /^POST barks/, /^POST bark\b/, /POST\s+\/v1\/dogs\/rex\/barks\s+201 Created/],
        ['A', /^POST barks/, /^POST bark\b/, /POST\s+\/v1\/dogs\/rex\/barks\s+201 Created/],
        ['B', /^PATCH the dog/, /^POST bark-schedule/, /PATCH\s+\/v1\/dogs\/rex\/\s+205 Reset Content/],
        ['C', /^POST bark-schedule/, /^PATCH the dog/, /bark-schedule\s+205 Reset Content/],
      ] as const
    ).entries()) {
      await tryVariant(page, variant);
      await heading(page, 'rex').waitFor();
      await page.locator('.exchange', { hasText: request }).waitFor();
      await showsCount(page, i + 1);
      expect([variant, await page.getByText('rex was created').count()]).toEqual([variant, i === 0 ? 1 : 0]);
      expect([variant, await page.getByRole('radio', { name: radio }).isChecked()]).toEqual([variant, true]);
      await page.getByRole('radio', { name: other }).check();
      await page.getByRole('link', { name: 'Home', exact: true }).click();
    }
  });
});

describeInDetail('The home page of the console', () => {
  test('shows beside the design that the example dog could not be created', async () => {
    const page = await stage.enter();
    const json = { detail: 'You must not create dogs.' };
    await page.route('**/v1/dogs/rex/', (route) => route.fulfill({ status: 403, json }));
    await tryVariant(page, 'B');
    const design = page.getByRole('region', { name: 'Variant B' });
    await design.getByRole('alert').getByText(json.detail).waitFor();
  });

  test('does not open the dog if the user opens another view meanwhile', async () => {
    const page = await stage.enter();
    const opened = Promise.withResolvers<void>();
    await page.route('**/v1/dogs/rex/', async (route) => {
      await opened.promise;
      await route.continue();
    });
    await tryVariant(page, 'B');
    await page.getByRole('link', { name: 'Tokens' }).click();
    await heading(page, 'Tokens').waitFor();
    const response = page.waitForResponse('**/v1/dogs/rex/');
    opened.resolve();
    await (await response).finished();
    expect(new URL(page.url()).hash).toBe('#tokens');
    await heading(page, 'Tokens').waitFor();
  });
});
