import type { Locator, Page } from 'playwright-core';
import { run } from '../start/support.ts';
import { dogAt, eventually, mailsTo } from '../support/client.ts';
import {
  cardOf,
  describeInBrowser,
  exchangeOf,
  focused,
  Stage,
  shownIn,
  signIn,
  signInByKeyboard,
  tabTo,
} from './support.ts';

describeInBrowser('A bark in the console', () => {
  const stage = new Stage();

  const card = (page: Page) => cardOf(page, 'Make it bark');
  const barkButton = (page: Page) => page.getByRole('button', { name: 'Bark', exact: true });
  const bark = (page: Page) => barkButton(page).click();
  const result = (page: Page, text: string | RegExp) =>
    card(page).getByRole('status').filter({ hasText: text }).first();
  const watched = (page: Page) =>
    page.getByRole('list', { name: 'Asynchronous barks' }).getByRole('listitem').first();
  const panel = (page: Page, title: string) => card(page).locator('.exchange', { hasText: title });
  const message = (page: Page) => page.getByLabel('Message', { exact: true });
  const count = (page: Page) => page.locator('dd.barkCount');

  /** Creates a dog that records its barks, and opens its view. */
  async function openDog(id: string, settings: object = { barkEffects: ['record'] }, options = {}) {
    await stage.client.put(`/v1/dogs/${id}/`, settings);
    const page = await stage.enter(`#dogs/${id}`, options);
    await barkButton(page).waitFor();
    return page;
  }

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

  describe.each([
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
    { width: 390, height: 844 },
  ])('in a window of $width × $height', (viewport) => {
    test('needs no scrolling: the result and the progress are next to the button', async () => {
      const page = await openDog('size', { barkEffects: ['record'], barkHandling: 'async' }, { viewport });
      await expectInWindow(page, barkButton(page));
      await bark(page);
      const accepted = result(page, 'The service has accepted the bark.');
      await expectInWindow(page, accepted);
      await expectInWindow(page, barkButton(page));
      await expectInWindow(page, watched(page));
      const [button, text] = [await barkButton(page).boundingBox(), await accepted.boundingBox()];
      expect((text?.y ?? 0) - (button?.y ?? 0)).toBeLessThan(80);
      await watched(page).getByText('The dog barked.').waitFor();
      await expectInWindow(page, watched(page));
    });
  });

  test('is recorded: the page shows the exchange, the URL of the bark and the new count', async () => {
    const page = await openDog('ada');
    await bark(page);
    await result(page, /The dog barked\. s[0-9A-Z]{26}/).waitFor();
    const exchange = await shownIn(exchangeOf(page, 'Make it bark'));
    expect(exchange).toMatch(/POST\s+\/v1\/dogs\/ada\/barks\s+201 Created/);
    expect(exchange).toMatch(/location: http:\S+\/v1\/dogs\/ada\/barks\/s[0-9A-Z]{26}\n/);
    expect(exchange).toContain('"status": "complete"');
    expect(exchange).toContain('Authorization: Basic ••••••');
    await count(page).filter({ hasText: /^1$/ }).waitFor();
    await page.getByRole('navigation', { name: 'Dogs' }).getByText('1 bark', { exact: true }).waitFor();
  });

  test('replaces the last bark in variant C', async () => {
    const page = await stage.enter('#dogs/record-sync');
    await page.getByRole('radio', { name: 'POST bark variant C' }).check();
    await bark(page);
    await result(page, 'The dog barked.').waitFor();
    expect(await shownIn(exchangeOf(page, 'Make it bark'))).toMatch(
      /location: http:\S+\/v1\/dogs\/record-sync\/bark\n/,
    );
  });

  test('that redirects to the dog is shown as 303 See Other → 200 OK', async () => {
    const page = await stage.enter('#dogs/count-sync');
    await bark(page);
    await result(page, 'The dog barked. The response redirects to the dog.').waitFor();
    const exchange = exchangeOf(page, 'Make it bark');
    await exchange.getByText('303 See Other → 200 OK').waitFor();
    await exchange.getByText('The browser followed a redirect').waitFor();
    await exchange.getByText('Response to the GET /v1/dogs/count-sync/ that followed').waitFor();
    expect(await shownIn(exchange)).toContain('"barkCount": 1');
  });

  test('has a preview that follows the form, even after the first bark', async () => {
    const page = await openDog('bella');
    await message(page).fill('first');
    expect(await shownIn(exchangeOf(page, 'Make it bark'))).toMatch(/not sent yet[\s\S]*"message": "first"/);
    await bark(page);
    await exchangeOf(page, 'Make it bark').getByText('201 Created').first().waitFor();
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
    const page = await openDog('bruno');
    const held = Promise.withResolvers<void>();
    let posts = 0;
    await page.route('**/bruno/barks', async (route) => {
      posts += 1;
      await held.promise;
      await route.continue();
    });
    await bark(page);
    await exchangeOf(page, 'Make it bark').getByText('in flight …').waitFor();
    await message(page).press('Enter');
    held.resolve();
    await exchangeOf(page, 'Make it bark').getByText('201 Created').first().waitFor();
    expect(await page.getByText('in flight …').count()).toBe(0);
    expect(posts).toBe(1);
  });

  test('has a link to the mail that it sends, which contains the message', async () => {
    const page = await stage.follow('#dogs/message-sync');
    await message(page).fill('The postman is here');
    await bark(page);
    await result(page, 'The dog barked. Its settings neither count nor record this bark.').waitFor();
    const [inbox] = await Promise.all([
      page.context().waitForEvent('page'),
      card(page).getByRole('link', { name: 'Read the mail to message-sync@example.com' }).click(),
    ]);
    expect(await shownIn(inbox.locator('article pre').first())).toContain('The postman is here');
    expect(await inbox.getByLabel('Address').inputValue()).toBe('message-sync@example.com');
    expect(await mailsTo(stage.service.access.mail_url ?? '', 'message-sync@example.com')).toHaveLength(1);
  });

  test('that the service refuses is a failure at its field, and the next bark replaces it', async () => {
    const page = await openDog('carlo');
    await page.route('**/carlo/barks', (route) =>
      route.fulfill({
        status: 422,
        contentType: 'application/problem+json',
        json: { detail: 'No.', errors: [{ pointer: '/message', detail: 'must be shorter' }] },
      }),
    );
    await message(page).fill('Too long');
    await bark(page);
    await card(page)
      .getByText(/must be shorter/)
      .waitFor();
    expect(await message(page).getAttribute('aria-invalid')).toBe('true');
    await page.unroute('**/carlo/barks');
    await bark(page);
    await result(page, 'The dog barked.').waitFor();
    expect(await message(page).getAttribute('aria-invalid')).toBeNull();
  });

  describe('with an Idempotency-Key', () => {
    test('can be sent again: the response is the same, and the dog does not bark again', async () => {
      const page = await openDog('dana');
      await page.getByRole('button', { name: 'New key' }).click();
      const key = await page.getByLabel('Idempotency-Key').inputValue();
      expect(key).toMatch(/^[0-9a-f-]{36}$/);
      await bark(page);
      await result(page, 'The dog barked.').waitFor();
      const locationOf = async () =>
        /location: (\S+)/.exec(await shownIn(exchangeOf(page, 'Make it bark')))?.[1];
      const location = await locationOf();
      expect(location).toMatch(/\/dana\/barks\/s/);
      await page.getByRole('button', { name: 'Send again' }).click();
      await result(page, 'The dog did not bark again.').waitFor();
      expect(await locationOf()).toBe(location);
      expect(await shownIn(exchangeOf(page, 'Make it bark'))).toContain(`Idempotency-Key: "${key}"`);
      await count(page).filter({ hasText: /^1$/ }).waitFor();
      expect(await dogAt(stage.client, '/v1/dogs/dana/')).toMatchObject({ barkCount: 1 });

      await page.getByRole('button', { name: 'New key' }).click();
      await bark(page);
      await result(page, /The dog barked\. s/).waitFor();
      await count(page).filter({ hasText: /^2$/ }).waitFor();
    });

    test('fails if another bark had the key', async () => {
      const page = await openDog('dina');
      await page.getByLabel('Idempotency-Key').fill('same');
      await bark(page);
      await result(page, 'The dog barked.').waitFor();
      await message(page).fill('different');
      await bark(page);
      await card(page).getByRole('alert').waitFor();
      expect(await shownIn(card(page).getByRole('alert'))).toContain('Idempotency-Key');
      expect(await dogAt(stage.client, '/v1/dogs/dina/')).toMatchObject({ barkCount: 1 });
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

    test('is pending first and then complete', async () => {
      const page = await openDog('emil', { barkEffects: ['record'], barkHandling: 'async' });
      await bark(page);
      await watched(page).getByText('pending', { exact: true }).waitFor();
      await watched(page).getByText('complete', { exact: true }).waitFor();
      await watched(page).getByText('The dog barked.').waitFor();
      expect(await watched(page).getByRole('button', { name: 'Cancel' }).count()).toBe(0);
      await count(page).filter({ hasText: /^1$/ }).waitFor();
      await page.locator('.facts').getByText('pending').waitFor({ state: 'detached' });
    });

    test('is possible for each dog, and has no effect after it is cancelled', async () => {
      const page = await openDog('emma', { barkEffects: ['count'] });
      await page.getByLabel('Asynchronous').check();
      await keepPending(page);
      await bark(page);
      await page.unroute('**/barks/a*');
      await watched(page).getByRole('button', { name: 'Cancel' }).click();
      await watched(page).getByText('The bark was cancelled and has no effect.').waitFor();
      expect(await shownIn(watched(page).locator('.badge'))).toBe('cancelled');
      // The focus does not return to the top of the page when the button disappears.
      expect(await page.evaluate("document.activeElement.matches('.bark-progress')")).toBe(true);
      expect(await dogAt(stage.client, '/v1/dogs/emma/')).toMatchObject({ barkCount: 0, barking: false });
    });

    test('shows the reason from the service if it fails', async () => {
      const page = await openDog('gone', {
        email: 'gone@example.com',
        barkEffects: ['emailDog'],
        barkHandling: 'async',
      });
      await bark(page);
      await watched(page).getByText('The dog has not barked yet.').waitFor();
      await stage.client.put('/v1/dogs/gone/', { barkEffects: ['count'], barkHandling: 'async' });
      await watched(page)
        .getByText(/^The bark failed\. .+/)
        .waitFor();
      expect(await shownIn(watched(page).locator('.badge'))).toBe('failed');
    });

    test('is not read after the user leaves the dog or while the page is hidden', async () => {
      const page = await stage.open();
      await page.clock.install();
      await signIn(page, stage.service.access);
      await keepPending(page);
      await page.getByRole('link', { name: 'record-async' }).click();
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
    const languages = [
      ['curl', 'bash', ['-s']],
      ['TypeScript', process.execPath, ['--input-type=module-typescript', '-']],
      ['Python', 'python3', ['-']],
    ] as const;

    async function copied(page: Page, language: string): Promise<string> {
      await exchangeOf(page, 'Make it bark')
        .getByRole('button', { name: `Copy ${language}` })
        .click();
      await exchangeOf(page, 'Make it bark').getByText('Copied', { exact: true }).waitFor();
      return page.evaluate('navigator.clipboard.readText()');
    }

    test('runs as it is, and gets the same status as the page', async () => {
      const page = await openDog('fido', { barkEffects: ['record'] }, options);
      await message(page).fill(`It's "so" $HOME \\ late: ü`);
      for (const [i, [language, program, parameters]] of languages.entries()) {
        await page.getByText(language, { exact: true }).first().click();
        const { stdout, stderr } = await run(program, parameters, {}, await copied(page, language));
        expect([language, stdout, stderr]).toEqual([
          language,
          expect.stringMatching(/^(HTTP\/1\.1 )?201 Created/),
          expect.any(String),
        ]);
        await count(page)
          .filter({ hasText: new RegExp(`^${i + 1}$`) })
          .waitFor();
      }
      await bark(page);
      await exchangeOf(page, 'Make it bark').getByText('201 Created').first().waitFor();
    });

    test('of curl shows the redirect that the browser hides', async () => {
      const page = await openDog('fritz', { barkEffects: ['count'] }, options);
      await bark(page);
      await exchangeOf(page, 'Make it bark').getByText('303 See Other → 200 OK').waitFor();
      const { stdout } = await run('bash', ['-c', await copied(page, 'curl')]);
      expect(stdout).toMatch(/^HTTP\/1\.1 303 /);
    });

    test('shows the password only if the user chooses to see it', async () => {
      const page = await openDog('flora');
      const { username, password } = stage.service.access;
      const exchange = exchangeOf(page, 'Make it bark');
      await exchange.getByText('curl', { exact: true }).click();
      expect(await shownIn(exchange)).toContain(`curl -iu ${username} -X POST`);
      await exchange.getByLabel('Show credentials').check();
      expect(await shownIn(exchange)).toContain(`curl -iu ${username}:${password} -X POST`);
      await exchange.getByLabel('Show credentials').uncheck();
      expect(await shownIn(page.locator('body'))).not.toContain(password);
    });
  });

  test('needs only the keyboard, from the sign-in on', async () => {
    const page = await stage.open();
    await signInByKeyboard(page, stage.service.access);
    await page.getByRole('link', { name: 'count-async' }).waitFor();
    await tabTo(page, 'count-async');
    await page.keyboard.press('Enter');
    await card(page).waitFor();
    expect(await focused(page)).toBe('count-async');
    await tabTo(page, 'Message');
    await page.keyboard.type('By the keyboard');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Bark');
    await page.keyboard.press('Enter');
    await result(page, 'The service has accepted the bark.').waitFor();
    expect(await focused(page)).toBe('Bark');
  });
});
