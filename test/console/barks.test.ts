import type { Page } from 'playwright-core';
import { run } from '../start/support.ts';
import { eventually, mailsTo } from '../support/client.ts';
import { cardOf, describeInBrowser, exchangeOf, focused, Stage, shownIn, signIn, tabTo } from './support.ts';

describeInBrowser('The console', () => {
  const stage = new Stage();
  const username = 'dog-lover';

  const bark = (page: Page) => page.getByRole('button', { name: 'Bark', exact: true }).click();
  const expectMessage = (page: Page, message: string | RegExp) =>
    cardOf(page, 'Make it bark').getByText(message).waitFor();
  const watched = (page: Page) => cardOf(page, 'Progress of the bark').first();
  /** Makes each read of an asynchronous bark return a pending bark, even if a slow machine reads the bark after its end. */
  const keepPending = (page: Page) =>
    page.route('**/barks/a*', (route) => {
      const [dog = '', id = ''] = route.request().url().split('barks/');
      return route.fulfill({ json: { id, dog, timestamp: null, status: 'pending' } });
    });

  describe('sign-in', () => {
    test('shows the dogs, and stores the password only for the tab', async () => {
      const page = await stage.enter();
      const list = page.getByRole('navigation', { name: 'Dogs' });
      for (const dog of ['record-sync', 'count-async', 'notify-owner'])
        await list.getByRole('link', { name: dog }).waitFor();
      const { password } = stage.service.access;
      const kept: string = await page.evaluate(
        'JSON.stringify([{ ...localStorage }, document.cookie, location.href, document.body.innerHTML])',
      );
      expect(kept).not.toContain(password);
      expect(await focused(page)).toBe('Make a dog bark');
    });

    test('shows a message for a wrong password, and the browser opens no dialog', async () => {
      const page = await stage.open();
      await page.getByLabel('User', { exact: true }).fill(username);
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await page.keyboard.press('Enter');
      await page.getByText('The user name or the password is wrong.').waitFor();
      expect(await focused(page)).toBe('Password');
    });

    test('forgets the user and the dogs after sign-out', async () => {
      const page = await stage.enter('#dogs/record-sync');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('You are signed out').waitFor();
      expect(await page.getByText('record-sync').count()).toBe(0);
      expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
      await page.evaluate("location.hash = 'dogs/count-sync'");
      await page.waitForURL(/count-sync$/);
      expect(await page.getByText('count-sync').count()).toBe(0);
    });

    test('shows the form again when the service no longer accepts the password', async () => {
      const page = await stage.enter('#dogs/record-sync');
      await exchangeOf(page, 'Recorded barks').getByText('200 OK').first().waitFor();
      await page.route('**/v1/**', (route) =>
        route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"detail":"No."}' }),
      );
      await page.getByRole('button', { name: 'Reload' }).click();
      await page.getByText('The service no longer accepts these credentials.').waitFor();
    });
  });

  describe('a bark', () => {
    test('shows the exchange of a recorded bark, and the changed dog', async () => {
      const page = await stage.enter('#dogs/record-sync');
      await bark(page);
      await expectMessage(page, 'The dog barked. The URL of the bark is in the Location header.');
      const exchange = await shownIn(exchangeOf(page, 'Make it bark'));
      expect(exchange).toMatch(/POST\s+\/v1\/dogs\/record-sync\/barks\s+201 Created/);
      expect(exchange).toMatch(/location: http:\S+\/v1\/dogs\/record-sync\/barks\/s[0-9A-Z]{26}\n/);
      expect(exchange).toContain('"status": "complete"');
      expect(exchange).toContain('Authorization: Basic ••••••');
      await cardOf(page, 'The dog').locator('dd.barkCount', { hasText: /^1$/ }).waitFor();
      await cardOf(page, 'Recorded barks').locator('li').first().waitFor();
      await page.getByRole('figure').getByText('One bark').waitFor();
      await page.locator('nav a[data-dog=record-sync]', { hasText: '1' }).waitFor();
    });

    test('replaces the last bark in variant C', async () => {
      const page = await stage.enter('#dogs/record-sync');
      await page.getByLabel(/^POST bark(?!s|-)/).check();
      await bark(page);
      await expectMessage(page, 'The dog barked. The URL of the bark is in the Location header.');
      expect(await shownIn(exchangeOf(page, 'Make it bark'))).toMatch(
        /location: http:\S+\/v1\/dogs\/record-sync\/bark\n/,
      );
    });

    test('states that the browser followed a redirect if the bark changes the dog', async () => {
      const page = await stage.enter('#dogs/count-sync');
      await bark(page);
      await expectMessage(page, 'The response redirected the browser to the dog.');
      const exchange = exchangeOf(page, 'Make it bark');
      await exchange.getByText('The browser followed a redirect').waitFor();
      await exchange.getByText('Response to the GET /v1/dogs/count-sync/ that followed').waitFor();
      expect(await shownIn(exchange)).toContain('"barkCount": 1');
    });

    test('links to the mail that the bark sends, which contains the message', async () => {
      const page = await stage.follow('#dogs/message-sync');
      await page.getByLabel('message').fill('The postman is here');
      await bark(page);
      await expectMessage(page, 'The service sent mail and recorded nothing.');
      const [inbox] = await Promise.all([
        page.context().waitForEvent('page'),
        cardOf(page, 'Make it bark')
          .getByRole('link', { name: 'Read the mail to message-sync@example.com' })
          .click(),
      ]);
      expect(await shownIn(inbox.locator('article pre').first())).toContain('The postman is here');
      expect(await inbox.getByLabel('Address').inputValue()).toBe('message-sync@example.com');
      expect(await mailsTo(stage.service.access.mail_url ?? '', 'message-sync@example.com')).toHaveLength(1);
      await inbox.getByRole('link', { name: 'Console' }).click();
      await inbox.waitForURL(`${stage.service.access.base_url}/`);
    });
  });

  describe('an asynchronous bark', () => {
    test('is pending first and then complete', async () => {
      const page = await stage.enter('#dogs/record-async');
      await bark(page);
      await expectMessage(page, 'The service has accepted the bark.');
      const steps = watched(page).locator('[aria-current=step]');
      expect(await shownIn(steps)).toBe('pending');
      await watched(page).getByText('The dog barked.').waitFor();
      expect(await shownIn(steps)).toBe('complete');
      expect(await watched(page).getByRole('button', { name: 'Cancel' }).count()).toBe(0);
      await cardOf(page, 'The dog').locator('dd.barkCount', { hasText: /^1$/ }).waitFor();
      const exchange = watched(page).locator('.exchange').first();
      await exchange.locator('summary').click();
      await exchange.getByText('The browser followed a redirect').waitFor();
    });

    test('is possible for each dog, and has no effect after it is cancelled', async () => {
      const before = (await stage.client.get('/v1/dogs/message-sync/')).text;
      const page = await stage.enter('#dogs/message-sync');
      await page.getByLabel('asynchronous').check();
      await bark(page);
      await watched(page).getByRole('button', { name: 'Cancel' }).click();
      await watched(page).getByText('The bark was cancelled and has no effect.').waitFor();
      expect(await shownIn(watched(page).locator('[aria-current=step]'))).toBe('cancelled');
      await watched(page).getByText('DELETE').first().waitFor();
      expect(await shownIn(watched(page))).toContain('204 No Content');
      await cardOf(page, 'The dog').locator('dd.barking', { hasText: 'false' }).waitFor();
      expect((await stage.client.get('/v1/dogs/message-sync/')).text).toBe(before);
    });

    test('shows the reason from the service if it fails', async () => {
      await stage.client.put('/v1/dogs/gone/', {
        email: 'gone@example.com',
        barkEffects: ['emailDog'],
        barkHandling: 'async',
      });
      const page = await stage.enter('#dogs/gone');
      await bark(page);
      await watched(page).getByText('The dog has not barked yet.').waitFor();
      await stage.client.put('/v1/dogs/gone/', { barkEffects: ['count'], barkHandling: 'async' });
      await watched(page)
        .getByText(/^The bark failed\. .+/)
        .waitFor();
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
      await page.getByRole('heading', { name: 'record-sync' }).waitFor();
      reads.length = 0;
      await page.clock.runFor(30_000);
      expect(reads).toEqual([]);
    });
  });

  describe('the curl command', () => {
    test('sends the request of the page, and shows the redirect that the browser hides', async () => {
      const page = await stage.enter('#dogs/count-sync', {
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      await bark(page);
      await expectMessage(page, 'The response redirected the browser to the dog.');
      await exchangeOf(page, 'Make it bark').getByRole('button', { name: 'Copy curl' }).click();
      await exchangeOf(page, 'Make it bark').getByText('Copied', { exact: true }).waitFor();
      const command: string = await page.evaluate('navigator.clipboard.readText()');
      const { password } = stage.service.access;
      expect(command).not.toContain(password);
      // Without the password in the command, curl asks for it.
      const withPassword = command.replace(`-iu ${username} `, `-iu ${username}:${password} `);
      const { stdout } = await run('sh', ['-c', withPassword]);
      expect(stdout).toMatch(/^HTTP\/1\.1 303 /);
    });

    test('contains the password only if the user selects to show it', async () => {
      const page = await stage.enter('#dogs/count-sync');
      const exchange = exchangeOf(page, 'Make it bark');
      const { password } = stage.service.access;
      expect(await shownIn(exchange)).toContain(`curl -iu ${username} -X POST`);
      await exchange.getByLabel('show the password').check();
      expect(await shownIn(exchange)).toContain(`curl -iu ${username}:${password} -X POST`);
      await exchange.getByLabel('show the password').uncheck();
      expect(await shownIn(page.locator('body'))).not.toContain(password);
    });
  });

  test('works with the keyboard alone, from the sign-in to a bark', async () => {
    const page = await stage.open();
    const { password } = stage.service.access;
    expect(await focused(page)).toBe('User');
    await page.keyboard.type(username);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Sign in');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Make a dog bark' }).waitFor();
    await tabTo(page, 'count-sync', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await cardOf(page, 'Make it bark').waitFor();
    expect(await focused(page)).toBe('count-sync');
    await tabTo(page, 'message');
    await page.keyboard.type('By the keyboard');
    for (const next of ['POST barks', "the dog's setting", 'Bark']) {
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe(next);
    }
    await page.keyboard.press('Enter');
    await expectMessage(page, 'The response redirected the browser to the dog.');
    expect(await focused(page)).toBe('Bark');
  });
});
