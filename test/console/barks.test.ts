import type { Locator, Page } from 'playwright-core';
import { cancellationWindowSeconds } from '../support/shared-service.ts';
import { skipTime } from '../support/time.ts';
import { barkCard, barkExchange, facts, result, showsCount, watched } from './dog.ts';
import {
  button,
  describeInBrowser,
  expectFocus,
  Stage,
  shownIn,
  signInByKeyboard,
  tabTo,
} from './support.ts';
import { sizes } from './views.ts';

describeInBrowser('A bark in the console', () => {
  const stage = new Stage();

  test('is recorded, and the page shows the exchange, the URL of the bark and the new count', async () => {
    const page = await stage.enterDog('ada');
    await button(page, 'Bark').click();
    await result(page, /The dog barked\. s[0-9A-Z]{26}/).waitFor();
    const exchange = await shownIn(barkExchange(page));
    expect(exchange).toMatch(/POST\s+\/v1\/dogs\/ada\/barks\s+201 Created/);
    expect(exchange).toMatch(
      /"status": "complete"[\s\S]*location: http:\S+\/v1\/dogs\/ada\/barks\/s[0-9A-Z]{26}\n/,
    );
    expect(exchange).not.toContain('x-amz');
    await barkExchange(page)
      .getByText(/Headers of the infrastructure/)
      .click();
    expect(await shownIn(barkExchange(page))).toContain('x-amzn-requestid');
    expect(exchange).toContain('Authorization: Basic ••••••');
    await showsCount(page, 1);
    await page
      .getByRole('navigation', { name: 'Dogs' })
      .getByText('1 counted', { exact: true })
      .first()
      .waitFor();
  });

  /** Checks that elements are completely in a window of any size that has not been scrolled. */
  async function expectInWindow(page: Page, ...elements: readonly Locator[]): Promise<void> {
    for (const viewport of Object.values(sizes)) {
      await page.setViewportSize(viewport);
      expect(await page.evaluate('scrollY')).toBe(0);
      for (const element of elements) {
        const { x = -1, y = -1, width = 0, height = 0 } = (await element.boundingBox()) ?? {};
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(viewport.width);
        expect(y + height).toBeLessThanOrEqual(viewport.height);
      }
    }
  }

  test('is pending next to the button, and then complete, without scrolling', async () => {
    const page = await stage.enterDog('emil', { barkEffects: ['record'], barkHandling: 'async' });
    await stage.barkAndHold(page);
    await watched(page).getByText('pending', { exact: true }).waitFor();
    const accepted = result(page, 'The service has accepted the bark.');
    await accepted.waitFor();
    await expectInWindow(page, button(page, 'Bark'), accepted, watched(page));
    const [above, below] = [await button(page, 'Bark').boundingBox(), await accepted.boundingBox()];
    expect((below?.y ?? 0) - (above?.y ?? 0)).toBeLessThan(80);
    await stage.performBark();
    await watched(page).getByText('complete', { exact: true }).waitFor();
    await watched(page).getByText('The dog barked.').waitFor();
    await expectInWindow(page, watched(page));
    expect(await button(watched(page), 'Cancel').count()).toBe(0);
    await showsCount(page, 1);
    await facts(page).getByText('pending').waitFor({ state: 'detached' });
  });

  test('is complete in the response if the service waits for it', async () => {
    const page = await stage.enterDog('enno', { barkEffects: ['record'], barkHandling: 'async' });
    await page.getByLabel('Wait up to 10 seconds').check();
    await Promise.all([page.waitForRequest(/\/barks$/), button(page, 'Bark').click()]);
    await skipTime(stage.access, cancellationWindowSeconds);
    await result(page, /The dog barked\. a[0-9A-Z]{26}/).waitFor();
    const exchange = await shownIn(barkExchange(page));
    expect(exchange).toContain('Prefer: wait=10');
    expect(exchange).toContain('preference-applied: wait=10');
    expect(await page.getByRole('list', { name: 'Asynchronous barks' }).count()).toBe(0);
    await showsCount(page, 1);
  });

  test('has no effect after the user cancels it', async () => {
    const page = await stage.enterDog('emma', { barkEffects: ['count'] });
    await page.getByLabel('Asynchronous').check();
    await stage.barkAndHold(page);
    await button(watched(page), 'Cancel').click();
    await watched(page).getByText('The bark was cancelled and has no effect.').waitFor();
    expect(await shownIn(watched(page))).toMatch(
      /DELETE\s+\/v1\/dogs\/emma\/barks\/a\w{26}\s+204 No Content/,
    );
    expect(await page.getByText('The service has accepted the bark.').count()).toBe(0);
    expect(await shownIn(watched(page).locator('.badge').first())).toBe('cancelled');
    await facts(page).getByText('pending').waitFor({ state: 'detached' });
    // The focus does not return to the top of the page when the button disappears.
    await page.locator('.bark-progress:focus').waitFor();
  });

  test('needs only the keyboard, from the sign-in on', async () => {
    await stage.newDog('kim', { barkEffects: ['count'] });
    const page = await stage.open();
    await signInByKeyboard(page, stage.access);
    await page.getByRole('link', { name: 'kim' }).waitFor();
    await tabTo(page, 'kim');
    await page.keyboard.press('Enter');
    await barkCard(page).waitFor();
    await expectFocus(page, 'kim');
    await tabTo(page, 'Message');
    await page.keyboard.type('By the keyboard');
    await page.keyboard.press('Tab');
    await expectFocus(page, 'Bark');
    await page.keyboard.press('Enter');
    await result(page, 'The dog barked. The response redirects to the dog.').waitFor();
    await expectFocus(page, 'Bark');
    const exchange = barkExchange(page);
    await exchange.getByText('303 See Other → 200 OK').waitFor();
    await exchange.getByText('The browser followed a redirect').waitFor();
    await exchange.getByText('Response to the GET /v1/dogs/kim/ that followed').waitFor();
    expect(await shownIn(exchange)).toContain('"barkCount": 1');
  });
});
