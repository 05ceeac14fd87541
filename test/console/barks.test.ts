import type { Page } from 'playwright-core';
import { dogAt } from '../support/client.ts';
import {
  button,
  cardOf,
  describeInBrowser,
  exchangeOf,
  field,
  focused,
  Stage,
  shownIn,
  signInByKeyboard,
  tabTo,
} from './support.ts';

describeInBrowser('A bark in the console', () => {
  const stage = new Stage();

  const result = (page: Page, text: string | RegExp) =>
    cardOf(page, 'Make it bark').getByRole('status').filter({ hasText: text }).first();
  const watched = (page: Page) =>
    page.getByRole('list', { name: 'Asynchronous barks' }).getByRole('listitem').first();
  const showsCount = (page: Page, barks: number) =>
    page.locator('dd.barkCount', { hasText: new RegExp(`^${barks}$`) });

  test('is recorded, and the page shows the exchange, the URL of the bark and the new count', async () => {
    await stage.newDog('ada');
    const page = await stage.enter('#dogs/ada');
    await field(page, 'Message').fill('first');
    expect(await shownIn(exchangeOf(page, 'Make it bark'))).toMatch(/not sent yet[\s\S]*"message": "first"/);
    await button(page, 'Bark').click();
    await result(page, /The dog barked\. s[0-9A-Z]{26}/).waitFor();
    const exchange = await shownIn(exchangeOf(page, 'Make it bark'));
    expect(exchange).toMatch(/POST\s+\/v1\/dogs\/ada\/barks\s+201 Created/);
    expect(exchange).toMatch(/location: http:\S+\/v1\/dogs\/ada\/barks\/s[0-9A-Z]{26}\n/);
    expect(exchange).toContain('"status": "complete"');
    expect(exchange).toContain('Authorization: Basic ••••••');
    await showsCount(page, 1).waitFor();
    await page
      .getByRole('navigation', { name: 'Dogs' })
      .getByText('1 bark', { exact: true })
      .first()
      .waitFor();
  });

  test('is pending first and then complete if it is asynchronous', async () => {
    await stage.newDog('emil', { barkEffects: ['record'], barkHandling: 'async' });
    const page = await stage.enter('#dogs/emil');
    await stage.barkAndHold(page);
    await watched(page).getByText('pending', { exact: true }).waitFor();
    await stage.performBark();
    await watched(page).getByText('complete', { exact: true }).waitFor();
    await watched(page).getByText('The dog barked.').waitFor();
    expect(await button(watched(page), 'Cancel').count()).toBe(0);
    await showsCount(page, 1).waitFor();
    await page.locator('.facts').getByText('pending').waitFor({ state: 'detached' });
  });

  test('is complete in the response if the service waits for it', async () => {
    await stage.newDog('enno', { barkEffects: ['record'], barkHandling: 'async' });
    const page = await stage.enter('#dogs/enno');
    await page.getByLabel('Wait up to 10 seconds').check();
    await button(page, 'Bark').click();
    await result(page, /The dog barked\. a[0-9A-Z]{26}/).waitFor();
    const exchange = await shownIn(exchangeOf(page, 'Make it bark'));
    expect(exchange).toContain('Prefer: wait=10');
    expect(exchange).toContain('preference-applied: wait=10');
    expect(await page.getByRole('list', { name: 'Asynchronous barks' }).count()).toBe(0);
    await showsCount(page, 1).waitFor();
  });

  test('has no effect after the user cancels it', async () => {
    await stage.newDog('emma', { barkEffects: ['count'] });
    const page = await stage.enter('#dogs/emma');
    await page.getByLabel('Asynchronous').check();
    await stage.barkAndHold(page);
    await button(watched(page), 'Cancel').click();
    await watched(page).getByText('The bark was cancelled and has no effect.').waitFor();
    expect(await shownIn(watched(page).locator('.badge'))).toBe('cancelled');
    // The focus does not return to the top of the page when the button disappears.
    expect(await page.evaluate("document.activeElement.matches('.bark-progress')")).toBe(true);
    expect(await dogAt(stage.client, '/v1/dogs/emma/')).toMatchObject({ barkCount: 0, barking: false });
  });

  test('needs only the keyboard, from the sign-in on', async () => {
    await stage.newDog('kim', { barkEffects: ['count'] });
    const page = await stage.open();
    await signInByKeyboard(page, stage.access);
    await page.getByRole('link', { name: 'kim' }).waitFor();
    await tabTo(page, 'kim');
    await page.keyboard.press('Enter');
    await cardOf(page, 'Make it bark').waitFor();
    expect(await focused(page)).toBe('kim');
    await tabTo(page, 'Message');
    await page.keyboard.type('By the keyboard');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Bark');
    await page.keyboard.press('Enter');
    await result(page, 'The dog barked. The response redirects to the dog.').waitFor();
    expect(await focused(page)).toBe('Bark');
    const exchange = exchangeOf(page, 'Make it bark');
    await exchange.getByText('303 See Other → 200 OK').waitFor();
    await exchange.getByText('The browser followed a redirect').waitFor();
    await exchange.getByText('Response to the GET /v1/dogs/kim/ that followed').waitFor();
    expect(await shownIn(exchange)).toContain('"barkCount": 1');
  });
});
