import type { Page } from 'playwright-core';
import { cancellationWindowSeconds } from '../support/shared-service.ts';
import { skipTime } from '../support/time.ts';
import {
  barkCard,
  barkExchange,
  button,
  describeInBrowser,
  describeInDetail,
  expectAccessibleState,
  expectFocus,
  expectInWindow,
  facts,
  field,
  result,
  shownIn,
  showsCount,
  sizes,
  stage,
  tabTo,
  watched,
} from './support.ts';

describeInBrowser('A bark in the console', () => {
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

  test('is pending next to the button, and then complete, without scrolling', async () => {
    const page = await stage.enterDog('emil', { barkEffects: ['record'], barkHandling: 'async' });
    await stage.barkAndHold(page);
    await watched(page).getByText('pending', { exact: true }).waitFor();
    await watched(page).getByText('The service has accepted the bark.').waitFor();
    const windows = Object.values(sizes);
    await expectInWindow(page, windows, [button(page, 'Bark'), watched(page)]);
    await skipTime(stage.access, 60 + cancellationWindowSeconds);
    await watched(page).getByText('complete', { exact: true }).waitFor();
    await watched(page).getByText('The dog barked.').waitFor();
    await expectInWindow(page, windows, [watched(page)]);
    expect(await button(watched(page), 'Cancel').count()).toBe(0);
    await showsCount(page, 1);
    await facts(page).getByText('pending').waitFor({ state: 'detached' });
  });

  // @extension waiting {
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
  // @extension waiting }

  test('has no effect after the user cancels it', async () => {
    const page = await stage.enterDog('emma', { barkEffects: ['count'] });
    await page.getByLabel('Bark asynchronously').check();
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
    await page.locator('.watches li:focus').waitFor();
  });

  test('needs only the keyboard, from the sign-in on', async () => {
    await stage.newDog('kim', { barkEffects: ['count'] });
    const page = await stage.open();
    await tabTo(page, 'User name');
    await page.keyboard.type(stage.access.username);
    await page.keyboard.press('Tab');
    await page.keyboard.type(stage.access.password);
    await page.keyboard.press('Enter');
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

describeInDetail('A bark in the console', () => {
  const async = { barkEffects: ['record'], barkHandling: 'async' };

  const bark = (page: Page) => button(page, 'Bark').click();
  const panel = (page: Page, title: string) => barkCard(page).locator('.exchange', { hasText: title });
  const message = (page: Page) => field(page, 'Message');

  test('has a preview that follows the form, and can be sent again, without effect if it has an Idempotency-Key', async () => {
    const page = await stage.enterDog('bella');
    await message(page).fill('first');
    expect(await shownIn(barkExchange(page))).toMatch(/not sent yet[\s\S]*"message": "first"/);
    await button(page, 'New key').click();
    const key = await page.getByLabel('Idempotency-Key').inputValue();
    expect(key).toMatch(/^\d+(-\d+){3}$/);
    await bark(page);
    await result(page, 'The dog barked.').waitFor();
    expect(await panel(page, 'Next request').count()).toBe(0);
    await button(page, 'Send again').click();
    await result(page, 'The dog did not bark again.').waitFor();
    await showsCount(page, 1);

    await message(page).fill('second');
    await page.getByRole('radio', { name: /^POST bark\b/ }).check();
    await page.getByLabel('Bark asynchronously').check();
    await panel(page, 'Next request').locator('summary').first().click();
    const next = await shownIn(panel(page, 'Next request'));
    expect(next).toMatch(/POST\s+\/v1\/dogs\/bella\/bark\s+not sent yet/);
    for (const text of ['Prefer: respond-async', `Idempotency-Key: "${key}"`, '"message": "second"'])
      expect(next).toContain(text);
    const last = await shownIn(barkExchange(page));
    expect(last).toMatch(/201 Created[\s\S]*"message": "first"/);
    expect(last).toContain(`Idempotency-Key: "${key}"`);
  });

  test('is marked as in flight until the response is complete', async () => {
    const page = await stage.enterDog('bruno');
    const held = Promise.withResolvers<void>();
    let posts = 0;
    await page.route('**/bruno/barks', async (route) => {
      posts += 1;
      await held.promise;
      await route.continue();
    });
    await bark(page);
    await barkExchange(page).getByText('in flight …').waitFor();
    await message(page).press('Enter');
    await expectAccessibleState(page);
    held.resolve();
    await barkExchange(page).getByText('201 Created').first().waitFor();
    expect(await page.getByText('in flight …').count()).toBe(0);
    expect(posts).toBe(1);
  });

  test('that fails is shown with the reason, in the response or later', async () => {
    const page = await stage.enterDog('camillo', async);
    const failed = { status: 'failed', reason: 'The service failed.', timestamp: null };
    await page.route('**/barks/a*', (route) => route.fulfill({ json: failed }));
    await bark(page);
    await watched(page).getByText('The bark failed. The service failed.').waitFor();
    expect(await shownIn(watched(page).locator('.badge'))).toBe('failed');
    await expectAccessibleState(page);
    const headers = {
      'Content-Location': 'http://127.0.0.1/v1/dogs/camillo/barks/a01M7XTJQRGHZ3MM2X05VM3ARQN',
    };
    await page.route('**/camillo/barks', (route) => route.fulfill({ json: failed, headers }));
    await bark(page);
    await barkCard(page).getByRole('alert').getByText('The bark failed. The service failed.').waitFor();
  });

  test('as a snippet contains the password only after the user has copied it', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await stage.enterDog('flora', undefined, '', { permissions });
    const { username, password } = stage.access;
    const exchange = barkExchange(page);
    await exchange.getByLabel('Show the request as').selectOption('curl');
    expect(await shownIn(exchange)).toContain(`curl -iu ${username}:"$PASSWORD" -X POST`);
    expect(await shownIn(page.locator('body'))).not.toContain(password);
    await button(exchange, 'Copy curl').click();
    await exchange.getByText('Copied', { exact: true }).waitFor();
    // The copied command contains the password, so that the user can run it.
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `curl -iu ${username}:${password}`,
    );
  });
});
