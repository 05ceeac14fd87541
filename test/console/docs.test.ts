import type { Page } from 'playwright-core';

import { describeInBrowser, expectAccessibleEverywhere, Stage, shownIn } from './support.ts';

/** The time within which the page must be usable over slow 4G. */
const budgetMs = 1_500;

/** The profile "Slow 4G" of Chromium's developer tools, in bytes per second and milliseconds. */
const slow4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6e6 / 8) * 0.9,
  uploadThroughput: (750e3 / 8) * 0.9,
};

describeInBrowser('The page /docs', () => {
  const stage = new Stage();

  const exampleOf = (page: Page, operation: string) =>
    page.locator(`article[aria-labelledby="${operation}"] .examples figure`).first();

  /** Opens the form of an operation and signs in. */
  async function tryOperation(page: Page, operation: string) {
    const { username, password } = stage.service.access;
    await page.getByRole('button', { name: `Try it: ${operation}`, exact: true }).click();
    const form = page.getByRole('region', { name: `Try ${operation}`, exact: true });
    await form.getByLabel('User name').fill(username);
    await form.getByLabel('Password').fill(password);
    await form.getByRole('button', { name: 'Sign in' }).click();
    await form.getByRole('button', { name: /^Send/ }).waitFor();
    return form;
  }

  /** Returns the times from the start of the navigation until the first text is visible and until a link works. */
  async function load(): Promise<{ readable: number; usable: number }> {
    const page = await stage.open('docs');
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await session.send('Network.emulateNetworkConditions', slow4G);
    // After a reload, the browser would restore the scroll position and undo the effect of the link.
    const url = page.url();
    await page.goto('about:blank');
    await page.goto(url, { waitUntil: 'commit' });
    // The link has no effect before the browser has received its target.
    await page.locator('#problems').waitFor({ state: 'attached' });
    await page.locator('#contents a[href="#problems"]').click();
    const isShown = "document.getElementById('problems')?.getBoundingClientRect().top < innerHeight";
    while (!(await page.evaluate(isShown))) await page.waitForTimeout(10);
    const usable: number = await page.evaluate('performance.now()');
    const readable: number = await page.evaluate(
      "performance.getEntriesByName('first-contentful-paint')[0].startTime",
    );
    return { readable, usable };
  }

  test('is usable over slow 4G within its budget', async () => {
    const times = [];
    // Other processes on the machine can delay a load, so one of three must be fast.
    for (let attempt = 0; attempt < 3; attempt++) {
      const { readable, usable } = await load();
      times.push(usable);
      expect(readable).toBeLessThanOrEqual(usable);
      if (usable < budgetMs) break;
    }
    expect(Math.min(...times)).toBeLessThan(budgetMs);
    expect(Math.min(...times)).toBeGreaterThan(slow4G.latency);
  });

  test('has no accessibility violation', async () => {
    const page = await stage.open('docs', { bypassCSP: true, reducedMotion: 'reduce' });
    await tryOperation(page, 'GetDog');
    await expectAccessibleEverywhere(page);
  });

  test('shows all examples in the language that the reader selects, also after a reload', async () => {
    const page = await stage.open('docs');
    const example = exampleOf(page, 'PostBarks');
    expect(await shownIn(example)).toContain('curl -iu');
    await example.getByRole('button', { name: 'Python' }).click();
    for (const operation of ['PostBarks', 'GetDog']) {
      const shown = await shownIn(exampleOf(page, operation));
      expect(shown).toContain('urllib.request');
      expect(shown).not.toContain('curl -iu');
    }
    await page.reload();
    expect(await shownIn(exampleOf(page, 'DeleteDog'))).toContain('urllib.request');
    const pressed = exampleOf(page, 'DeleteDog').getByRole('button', { pressed: true });
    expect(await shownIn(pressed)).toBe('Python');
  });

  test('copies an example with the URL of the service', async () => {
    const page = await stage.open('docs', { permissions: ['clipboard-read', 'clipboard-write'] });
    const example = exampleOf(page, 'PostBarks');
    await example.getByRole('button', { name: 'TypeScript' }).click();
    await example.getByRole('button', { name: 'Copy' }).click();
    await example.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `await fetch('${stage.service.access.base_url}/v1/dogs/rex/barks', {`,
    );
  });

  test('marks the current section in the contents', async () => {
    const page = await stage.open('docs#PatchDog');
    const current = page.locator('#contents [aria-current]');
    const isCurrent = (id: string) =>
      page.locator(`#contents a[href="#${id}"][aria-current="true"]`).waitFor();
    await isCurrent('PatchDog');
    await page.evaluate("document.getElementById('retries').scrollIntoView()");
    await isCurrent('retries');
    expect(await current.count()).toBe(1);
  });

  test('opens the response to which the URL links', async () => {
    const page = await stage.open('docs#common-Unauthorized');
    await page.locator('#common-Unauthorized[open]').waitFor();
  });

  test('links a heading to itself for the keyboard', async () => {
    const page = await stage.open('docs');
    await page.locator('#retries a').focus();
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#retries');
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
    for (const text of ['curl -iu', 'await fetch(', 'urllib.request']) expect(shown).toContain(text);
    expect(await page.getByRole('button', { name: 'Python' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Contents' }).click();
    await page
      .getByRole('navigation', { name: 'Contents' })
      .getByRole('link', { name: 'Problems' })
      .waitFor();
  });

  test('finds an operation', async () => {
    const page = await stage.open('docs');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox').fill('makes the dog bark');
    await page.getByRole('option', { name: 'Makes the dog bark' }).first().click();
    await page.waitForURL(/#Post(Barks|LastBark)$/);
  });

  describe('The form of an operation', () => {
    test('sends the request with the credentials of the reader, and shows the response', async () => {
      const page = await stage.open('docs');
      const form = await tryOperation(page, 'GetDog');
      await form.getByLabel('dog_id').fill('record-sync');
      await form.getByRole('button', { name: 'Send GET' }).click();
      await form.getByText('200 OK').first().waitFor();
      await form.getByText('"id": "record-sync"').waitFor();
    });

    test('keeps the ID of the dog and the session for the other forms', async () => {
      const page = await stage.open('docs');
      const first = await tryOperation(page, 'GetDog');
      await first.getByLabel('dog_id').fill('record-async');
      await page.getByRole('button', { name: 'Try it: ListBarks' }).click();
      const second = page.getByRole('region', { name: 'Try ListBarks' });
      expect(await second.getByLabel('dog_id').inputValue()).toBe('record-async');
    });

    test('shows which value is missing, and sends no request', async () => {
      const page = await stage.open('docs');
      const form = await tryOperation(page, 'GetDog');
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.url()));
      await form.getByLabel('dog_id').fill('');
      await form.getByRole('button', { name: 'Send GET' }).click();
      await form.getByText('Enter a value.').waitFor();
      expect(sent).toEqual([]);
    });

    test('does not send an unsafe request without a click', async () => {
      const page = await stage.open('docs');
      const form = await tryOperation(page, 'PostBarks');
      const sent: string[] = [];
      page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
      await form.getByLabel('dog_id').fill('record-sync');
      await form.getByLabel('dog_id').press('Enter');
      expect(sent).toEqual([]);
      await form.getByRole('button', { name: 'Send POST' }).click();
      await form.getByText('201 Created').first().waitFor();
      expect(sent).toEqual(['POST /v1/dogs/record-sync/barks']);
    });

    test('sends no credentials to an operation that requires none', async () => {
      const page = await stage.open('docs');
      await page.getByRole('button', { name: 'Try it: GetKeys' }).click();
      const form = page.getByRole('region', { name: 'Try GetKeys' });
      const sent = page.waitForRequest(/jwks\.json$/);
      await form.getByRole('button', { name: 'Send GET' }).click();
      expect(await (await sent).headerValue('Authorization')).toBeNull();
      await form.getByText('200 OK').first().waitFor();
    });

    test('sends a PATCH with the current date', async () => {
      const page = await stage.open('docs');
      const form = await tryOperation(page, 'PatchDog');
      await form.getByLabel('dog_id').fill('count-sync');
      await form.getByRole('button', { name: 'Send PATCH' }).click();
      await form.getByText('205 Reset Content').first().waitFor();
    });
  });
});
