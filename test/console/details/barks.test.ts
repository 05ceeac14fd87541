import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../support/client.ts';
import { barkCard, barkExchange, result, showsCount, watched } from '../dog.ts';
import { button, describeInBrowser, expectAccessibleState, field, Stage, shownIn } from '../support.ts';
import { sizes } from '../views.ts';

describeInBrowser('A bark in the console', () => {
  const stage = new Stage();
  const async = { barkEffects: ['record'], barkHandling: 'async' };

  const bark = (page: Page) => button(page, 'Bark').click();
  const panel = (page: Page, title: string) => barkCard(page).locator('.exchange', { hasText: title });
  const message = (page: Page) => field(page, 'Message');

  /** Checks that an element is completely in a window that has not been scrolled. */
  async function expectInWindow(page: Page, element: Locator): Promise<void> {
    await element.waitFor();
    const { x = -1, y = -1, width = 0, height = 0 } = (await element.boundingBox()) ?? {};
    const window = page.viewportSize();
    expect(await page.evaluate('scrollY')).toBe(0);
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(window?.width ?? 0);
    expect(y + height).toBeLessThanOrEqual(window?.height ?? 0);
  }

  describe.each(Object.values(sizes))('in a window of $width × $height', (viewport) => {
    test('shows the result and the progress next to the button, without scrolling', async () => {
      const page = await stage.enterDog('size', async, '', { viewport });
      await expectInWindow(page, button(page, 'Bark'));
      await stage.barkAndHold(page);
      const accepted = result(page, 'The service has accepted the bark.');
      await expectInWindow(page, accepted);
      await expectInWindow(page, button(page, 'Bark'));
      await expectInWindow(page, watched(page));
      const [above, below] = [await button(page, 'Bark').boundingBox(), await accepted.boundingBox()];
      expect((below?.y ?? 0) - (above?.y ?? 0)).toBeLessThan(80);
      await stage.performBark();
      await watched(page).getByText('The dog barked.').waitFor();
      await expectInWindow(page, watched(page));
    });
  });

  test('shows once when the user can bark again, if a limit is reached', async () => {
    const page = await stage.enterDog('limit');
    const detail = 'The limit of 2 barks for each dog in 60 minutes is reached. The dog did not bark.';
    await page.route(/\/barks$/, (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '600' }, json: { detail } }),
    );
    await bark(page);
    const alert = barkCard(page).getByRole('alert').filter({ hasText: detail });
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(
      / You can try again at \d{1,2} \w+ \d{4}, \d{2}:\d{2}:\d{2}\.$/,
    );
    expect(await alert.count()).toBe(1);
  });

  test('replaces the last bark in variant C', async () => {
    const page = await stage.enterDog('cora');
    await page.getByRole('radio', { name: 'POST bark variant C' }).check();
    await bark(page);
    await result(page, 'The dog barked.').waitFor();
    expect(await shownIn(barkExchange(page))).toMatch(/location: http:\S+\/v1\/dogs\/cora\/bark\n/);
  });

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

  test('that failed while the service waited is shown with its reason', async () => {
    const page = await stage.enterDog('camillo');
    await page.route('**/camillo/barks', (route) =>
      route.fulfill({
        status: 200,
        headers: { 'Content-Location': 'http://127.0.0.1/v1/dogs/camillo/barks/a01M7XTJQRGHZ3MM2X05VM3ARQN' },
        json: { status: 'failed', reason: 'The service failed.', timestamp: null },
      }),
    );
    await bark(page);
    await barkCard(page).getByText('The bark failed. The service failed.').waitFor();
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

  describe('with an Idempotency-Key', () => {
    test('can be sent again: the response is the same, and the dog does not bark again', async () => {
      const page = await stage.enterDog('dana');
      await button(page, 'New key').click();
      const key = await page.getByLabel('Idempotency-Key').inputValue();
      expect(key).toMatch(/^[0-9a-f-]{36}$/);
      await bark(page);
      await result(page, 'The dog barked.').waitFor();
      const locationOf = async () => /location: (\S+)/.exec(await shownIn(barkExchange(page)))?.[1];
      const location = await locationOf();
      expect(location).toMatch(/\/dana\/barks\/s/);
      await button(page, 'Send again').click();
      await result(page, 'The dog did not bark again.').waitFor();
      expect(await locationOf()).toBe(location);
      expect(await shownIn(barkExchange(page))).toContain(`Idempotency-Key: "${key}"`);
      await showsCount(page, 1);

      await button(page, 'New key').click();
      await bark(page);
      await result(page, /The dog barked\. s/).waitFor();
      await showsCount(page, 2);
    });

    test('fails if another bark had the key', async () => {
      const page = await stage.enterDog('dina');
      await page.getByLabel('Idempotency-Key').fill('same');
      await bark(page);
      await result(page, 'The dog barked.').waitFor();
      await message(page).fill('different');
      await bark(page);
      await barkCard(page).getByRole('alert').waitFor();
      expect(await shownIn(barkCard(page).getByRole('alert'))).toContain('Idempotency-Key');
    });
  });

  describe('that is asynchronous', () => {
    /** Makes each read of an asynchronous bark return a pending bark, even if a slow machine reads the bark after its end. */
    const keepPending = (page: Page) =>
      page.route('**/barks/a*', (route) => {
        if (route.request().method() !== 'GET') return route.continue();
        const [dog = '', id = ''] = route.request().url().split('barks/');
        return route.fulfill({ json: { id, dog, timestamp: null, status: 'pending' } });
      });

    test('shows the reason from the service if it fails', async () => {
      const page = await stage.enterDog('gone', {
        email: 'gone@example.com',
        barkEffects: ['emailDog'],
        barkHandling: 'async',
      });
      await stage.barkAndHold(page);
      await watched(page).getByText('The dog has not barked yet.').waitFor();
      await stage.client.put('/v1/dogs/gone/', { barkEffects: ['count'], barkHandling: 'async' });
      await stage.performBark();
      await watched(page)
        .getByText(/^The bark failed\. .+/)
        .waitFor();
      expect(await shownIn(watched(page).locator('.badge'))).toBe('failed');
      await expectAccessibleState(page);
    });

    test('is not read after the user leaves the dog or while the page is hidden', async () => {
      const page = await stage.enterDog('eric', async, '', { clock: Date.now() });
      await keepPending(page);
      await bark(page);
      await watched(page).getByText('The dog has not barked yet.').waitFor();
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.evaluate(
        "Object.defineProperty(document, 'hidden', { get: () => window.isHidden ?? true })",
      );
      // A read that began before the page was hidden can still be in progress.
      await page.waitForLoadState('networkidle');
      const reads: string[] = [];
      page.on('request', (request) => request.url().includes('/barks/a') && reads.push(request.url()));
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
  });

  describe('as a snippet', () => {
    const options = { permissions: ['clipboard-read', 'clipboard-write'] };
    test('of curl shows the redirect that the browser hides', async () => {
      const page = await stage.enterDog('fritz', { barkEffects: ['count'] }, '', options);
      await bark(page);
      await barkExchange(page).getByText('303 See Other → 200 OK').waitFor();
      await button(barkExchange(page), 'Copy curl').click();
      await barkExchange(page).getByText('Copied', { exact: true }).waitFor();
      const copied: string = await page.evaluate('navigator.clipboard.readText()');
      const { stdout } = await promisify(execFile)('bash', ['-c', copied]);
      expect(stdout).toMatch(/^HTTP\/1\.1 303 /);
    });

    test('shows the password only if the user chooses to see it', async () => {
      const page = await stage.enterDog('flora');
      const { username, password } = stage.access;
      const exchange = barkExchange(page);
      await exchange.getByText('curl', { exact: true }).click();
      expect(await shownIn(exchange)).toContain(`curl -iu ${username} -X POST`);
      await exchange.getByLabel('Show credentials').check();
      expect(await shownIn(exchange)).toContain(`curl -iu ${username}:${password} -X POST`);
      await exchange.getByLabel('Show credentials').uncheck();
      expect(await shownIn(page.locator('body'))).not.toContain(password);
    });
  });
});
