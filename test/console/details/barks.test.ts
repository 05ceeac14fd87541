import type { Page } from 'playwright-core';
import { eventually } from '../../support/client.ts';
import { barkCard, barkExchange, result, showsCount, watched } from '../dog.ts';
import { button, describeInBrowser, expectAccessibleState, field, Stage, shownIn } from '../support.ts';

describeInBrowser('A bark in the console', () => {
  const stage = new Stage();
  const async = { barkEffects: ['record'], barkHandling: 'async' };

  const bark = (page: Page) => button(page, 'Bark').click();
  const panel = (page: Page, title: string) => barkCard(page).locator('.exchange', { hasText: title });
  const message = (page: Page) => field(page, 'Message');

  test('has a preview that follows the form, even after the first bark', async () => {
    const page = await stage.enterDog('bella');
    await message(page).fill('first');
    expect(await shownIn(barkExchange(page))).toMatch(/not sent yet[\s\S]*"message": "first"/);
    await bark(page);
    await barkExchange(page).getByText('201 Created').first().waitFor();
    expect(await panel(page, 'Next request').count()).toBe(0);

    await message(page).fill('second');
    await page.getByLabel('POST bark', { exact: false }).last().check();
    await page.getByLabel('Asynchronous').check();
    await page.getByLabel('Idempotency-Key').fill('k1');
    const next = await shownIn(panel(page, 'Next request'));
    expect(next).toMatch(/POST\s+\/v1\/dogs\/bella\/bark\s+not sent yet/);
    expect(next).toContain('Prefer: respond-async');
    expect(next).toContain('Idempotency-Key: "k1"');
    expect(next).toContain('"message": "second"');
    expect(await shownIn(panel(page, 'Last request'))).toMatch(/201 Created[\s\S]*"message": "first"/);
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

  test('that the service refuses is a failure at its field, and the next bark replaces it', async () => {
    const page = await stage.enterDog('carlo');
    await page.route('**/carlo/barks', (route) =>
      route.fulfill({
        status: 422,
        contentType: 'application/problem+json',
        json: { detail: 'No.', errors: [{ pointer: '/message', detail: 'must be shorter' }] },
      }),
    );
    await message(page).fill('Too long');
    await bark(page);
    await barkCard(page)
      .getByText(/must be shorter/)
      .waitFor();
    expect(await message(page).getAttribute('aria-invalid')).toBe('true');
    await expectAccessibleState(page);
    await page.unroute('**/carlo/barks');
    await bark(page);
    await result(page, 'The dog barked.').waitFor();
    expect(await message(page).getAttribute('aria-invalid')).toBeNull();
  });

  test('with an Idempotency-Key can be sent again, and the page states that the dog did not bark again', async () => {
    const page = await stage.enterDog('dana');
    await button(page, 'New key').click();
    const key = await page.getByLabel('Idempotency-Key').inputValue();
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    await bark(page);
    await result(page, 'The dog barked.').waitFor();
    await button(page, 'Send again').click();
    await result(page, 'The dog did not bark again.').waitFor();
    expect(await shownIn(barkExchange(page))).toContain(`Idempotency-Key: "${key}"`);
    await showsCount(page, 1);
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

  test('that is asynchronous is not read after the user leaves the dog or while the page is hidden', async () => {
    const page = await stage.enterDog('eric', async, '', { clock: Date.now() });
    const reads: string[] = [];
    await page.route('**/barks/a*', (route) => {
      reads.push(route.request().url());
      return route.fulfill({ json: { timestamp: null, status: 'pending' } });
    });
    await bark(page);
    await watched(page).getByText('Not complete yet.').waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.evaluate("Object.defineProperty(document, 'hidden', { get: () => window.isHidden ?? true })");
    // A read that began before the page was hidden can still be in progress.
    await page.clock.runFor(10_000);
    reads.length = 0;
    await page.clock.runFor(30_000);
    expect(reads).toEqual([]);
    await page.evaluate("window.isHidden = false; document.dispatchEvent(new Event('visibilitychange'))");
    await eventually(async () => expect(reads).toHaveLength(1));
    await page.getByRole('link', { name: 'record-sync' }).click();
    await page.getByRole('heading', { name: 'record-sync', exact: true }).waitFor();
    reads.length = 0;
    await page.clock.runFor(30_000);
    expect(reads).toEqual([]);
  });

  test('as a snippet shows the password only if the user chooses to see it', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await stage.enterDog('flora', undefined, '', { permissions });
    const { username, password } = stage.access;
    const exchange = barkExchange(page);
    await exchange.getByText('curl', { exact: true }).click();
    expect(await shownIn(exchange)).toContain(`curl -iu ${username}:"$PASSWORD" -X POST`);
    await exchange.getByLabel('Show credentials').check();
    expect(await shownIn(exchange)).toContain(`curl -iu ${username}:${password} -X POST`);
    await exchange.getByLabel('Show credentials').uncheck();
    expect(await shownIn(page.locator('body'))).not.toContain(password);
    await button(exchange, 'Copy curl').click();
    await exchange.getByText('Copied', { exact: true }).waitFor();
    // The copy contains the password, so that the user can run it.
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `curl -iu ${username}:${password}`,
    );
  });
});
