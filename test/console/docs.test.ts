import type { Locator, Page } from 'playwright-core';
import {
  button,
  describeInBrowser,
  describeInDetail,
  expectNoViolation,
  shownIn,
  stage,
  trafficOf,
} from './support.ts';

/** Returns the article about an operation. A search in the whole page takes several times longer. */
const articleOf = (page: Page, operation: string) => page.locator(`article[aria-labelledby="${operation}"]`);
const exampleOf = (page: Page, operation: string) =>
  articleOf(page, operation).locator('.examples figure').first();

function enter(): Promise<Page> {
  const { username: user, password } = stage.access;
  return stage.open('docs', { credentials: { user, password } });
}

async function openForm(page: Page, operation: string): Promise<Locator> {
  await button(articleOf(page, operation), `Try it: ${operation}`).click();
  return page.getByRole('region', { name: `Try ${operation}`, exact: true });
}

describeInBrowser('The page /docs', () => {
  test('shows all examples in the language that the reader selects, and copies them with the URL of the service', async () => {
    const page = await stage.open('docs', { permissions: ['clipboard-read', 'clipboard-write'] });
    expect(await shownIn(exampleOf(page, 'PostBarks'))).toContain('curl -iu');
    await exampleOf(page, 'PostBarks').getByRole('button', { name: 'TypeScript' }).click();
    expect(await shownIn(exampleOf(page, 'GetDog'))).toContain('await client.GET(');
    expect(await shownIn(exampleOf(page, 'GetDog'))).not.toContain('curl -iu');
    await exampleOf(page, 'PostBarks').getByRole('button', { name: 'Copy' }).click();
    await exampleOf(page, 'PostBarks').getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `baseUrl: '${stage.access.base_url}',`,
    );
    await page.reload();
    expect(await shownIn(exampleOf(page, 'GetDog').getByRole('button', { pressed: true }))).toBe(
      'TypeScript',
    );
  });

  test('finds an operation, and sends the credentials of the reader to an operation that requires them', async () => {
    await stage.newDog('otto');
    const page = await stage.open('docs');
    await page.keyboard.press('/');
    await page.keyboard.type('cancel a bark');
    await page.getByRole('search').getByRole('link', { name: 'Cancel a bark' }).first().click();
    await page.waitForURL(/#(asynchronous-barks-cancel-a-bark|DeleteBark)$/);

    const form = await openForm(page, 'GetDog');
    await form.getByLabel('User name').fill(stage.access.username);
    await form.getByLabel('Password').fill(stage.access.password);
    await button(form, 'Sign in').click();
    await form.getByLabel('dog_id').fill('otto');
    await button(form, 'Send GET').click();
    await form.getByText('200 OK').first().waitFor();
    await form.getByText('"id": "otto"').waitFor();
    const toPublicOperation = page.waitForRequest(/jwks\.json$/);
    await button(await openForm(page, 'GetKeys'), 'Send GET').click();
    expect(await (await toPublicOperation).headerValue('Authorization')).toBeNull();

    const example = exampleOf(page, 'GetDog');
    expect(await shownIn(example)).toContain(`curl -iu ${stage.access.username}:"$PASSWORD"`);
    await button(page, 'Sign out').click();
    expect(await shownIn(example)).toContain('curl -iu jane:"$PASSWORD"');
  });

  test('links to the inbox whose path is in the sign-in link', async () => {
    const linkOf = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Inbox' });
    expect(await linkOf(await stage.follow('docs')).getAttribute('href')).toBe(stage.signIn.inbox);
    expect(await linkOf(await enter()).count()).toBe(0);
  });
});

const budgetMs = 1_500;

/** The slow 4G of Chromium's DevTools: latency in milliseconds, throughput in bytes per second. */
const slow4G = { latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };

describeInDetail('The page /docs', () => {
  /** Returns the time from the start of the navigation until a link works. */
  async function timeUntilUsable(): Promise<number> {
    const page = await stage.open('docs', { isNew: true });
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await session.send('Network.emulateNetworkConditions', { offline: false, ...slow4G });
    // After a reload, the browser would restore the scroll position and undo the effect of the link.
    const url = page.url();
    await page.goto('about:blank');
    await page.goto(url, { waitUntil: 'commit' });
    // The link has no effect before the browser has received its target.
    await page.locator('#problems').waitFor({ state: 'attached' });
    await page.locator('#contents a[href="#problems"]').click();
    const isShown = "document.getElementById('problems')?.getBoundingClientRect().top < innerHeight";
    while (!(await page.evaluate(isShown))) await page.waitForTimeout(10);
    return page.evaluate('performance.now()');
  }

  test('is usable over slow 4G within its budget', async () => {
    let best = Number.POSITIVE_INFINITY;
    // Other processes on the machine can delay a load, so only one of three must be fast.
    for (let attempt = 0; attempt < 3 && best >= budgetMs; attempt++)
      best = Math.min(best, await timeUntilUsable());
    expect(best).toBeLessThan(budgetMs);
    expect(best).toBeGreaterThan(slow4G.latency);
  });

  test('has no accessibility violation in any article', async () => {
    await expectNoViolation(await stage.open('docs'));
  });

  test('opens the response to which the URL links, links each heading to itself, and marks the current section', async () => {
    const page = await stage.open('docs#common-Unauthorized');
    const isCurrent = (id: string) =>
      page.locator(`#contents a[href="#${id}"][aria-current="true"]`).waitFor();
    await page.locator('#common-Unauthorized[open]').waitFor();
    await page.locator('#retries a').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#retries$/);
    await isCurrent('retries');
    await page.evaluate("document.getElementById('PatchDog').scrollIntoView()");
    await isCurrent('PatchDog');
    expect(await page.locator('#contents [aria-current]').count()).toBe(1);
  });

  test('closes the contents of a narrow window when the reader follows a link', async () => {
    const page = await stage.open('docs', { viewport: { width: 390, height: 844 } });
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Contents' }).click();
    await contents.getByRole('link', { name: 'Problems' }).click();
    await contents.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).hash).toBe('#problems');
  });

  test('shows all examples and the contents without JavaScript', async () => {
    const page = await stage.open('docs', {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    const shown = await shownIn(exampleOf(page, 'PostBarks'));
    for (const text of ['curl -iu', 'await client.POST(', 'urllib.request']) expect(shown).toContain(text);
    expect(await page.getByRole('button', { name: 'Python' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Contents' }).click();
    await page
      .getByRole('navigation', { name: 'Contents' })
      .getByRole('link', { name: 'Problems' })
      .waitFor();
  });

  test('has the ID of the dog in all forms, creates no dog with it, and sends no request without it or without a click', async () => {
    await stage.newDog('paul');
    const page = await enter();
    const reading = await openForm(page, 'GetDog');
    await reading.getByLabel('dog_id').fill('max-mistyped');
    await button(reading, 'Send GET').click();
    await reading.getByText('404 Not Found').first().waitFor();
    const form = await openForm(page, 'PostBarks');
    await form.getByLabel('dog_id').fill('paul');
    expect(await (await openForm(page, 'ListBarks')).getByLabel('dog_id').inputValue()).toBe('paul');
    const { sent } = trafficOf(page);
    await form.getByLabel('dog_id').fill('');
    await button(form, 'Send POST').click();
    await form.getByText('Enter a value.').waitFor();
    await form.getByLabel('dog_id').fill('paul');
    await form.getByLabel('dog_id').press('Enter');
    expect(sent).toEqual([]);
    await button(form, 'Send POST').click();
    await form.getByText('201 Created').first().waitFor();
    expect(sent).toEqual(['POST /v1/dogs/paul/barks']);
  });

  /** The operations that need values which only an operator or the recipient of an email knows. */
  const secretNeeds: Readonly<Record<string, string>> = {
    IssueToken: 'a client and a refresh token',
    GetMailSubscription: "the token from an email's unsubscribe link",
    PostMailSubscription: "the token from an email's unsubscribe link",
  };

  test('has a form for each operation that succeeds without any input, or states what it needs', async () => {
    const page = await enter();
    const names: string[] = await page.evaluate(
      "[...document.querySelectorAll('.try-it')].map(({ dataset }) => dataset.operation)",
    );
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) {
      // The form must not depend on what another form has created.
      await stage.client.delete('/v1/dogs/rex/');
      const form = await openForm(page, name);
      const need = secretNeeds[name];
      if (need) expect(await shownIn(form)).toContain(need);
      else {
        await form.getByRole('button', { name: /^Send / }).click();
        const status = form
          .locator('.exchange')
          .last()
          .locator('.badge', { hasText: /^\S* ?\d\d\d/ });
        expect(await shownIn(status)).toMatch(/\b2\d\d/);
      }
    }
  });
});
