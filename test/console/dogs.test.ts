import type { Page } from 'playwright-core';
import { documentOf, dogAt, type Problem } from '../support/client.ts';
import { cardOf, describeInBrowser, exchangeOf, focused, Stage, shownIn } from './support.ts';

const hostile = '<img src=x onerror=alert(1)>';

describeInBrowser('A dog in the console', () => {
  const stage = new Stage();

  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();

  test('is created, and is deleted after a confirmation', async () => {
    const page = await stage.enter();
    await page.getByRole('link', { name: 'New dog' }).click();
    await heading(page, 'New dog');
    await page.getByLabel('id', { exact: true }).fill('max');
    await page.getByLabel('emailDog', { exact: false }).first().check();
    await page.getByLabel('email', { exact: true }).fill('max@example.com');
    await page.getByRole('button', { name: 'Create the dog' }).click();
    await heading(page, 'max');
    expect(new URL(page.url()).hash).toBe('#dogs/max');
    expect(await focused(page)).toBe('max');
    const created = await shownIn(cardOf(page, 'max was created'));
    expect(created).toMatch(/PUT\s+\/v1\/dogs\/max\/\s+201 Created/);
    expect(created).toContain('If-None-Match: *');
    expect(await dogAt(stage.client, '/v1/dogs/max/')).toMatchObject({
      email: 'max@example.com',
      barkEffects: ['emailDog', 'record'],
      barkHandling: 'sync',
    });
    await page.getByRole('navigation', { name: 'Dogs' }).getByRole('link', { name: 'max' }).waitFor();

    await page.getByRole('button', { name: 'Delete …' }).click();
    expect(await focused(page)).toBe('Keep it');
    await page.getByRole('button', { name: 'Yes, delete max' }).click();
    await cardOf(page, 'max was deleted').getByText('204 No Content').first().waitFor();
    expect((await stage.client.get('/v1/dogs/max/')).status).toBe(404);
    await page.getByRole('link', { name: 'max' }).waitFor({ state: 'detached' });
  });

  test('is kept if the user does not confirm the deletion', async () => {
    const page = await stage.enter('#dogs/count-async');
    await page.getByRole('button', { name: 'Delete …' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    expect(await focused(page)).toBe('Delete …');
    expect((await stage.client.get('/v1/dogs/count-async/')).status).toBe(200);
  });

  test('is replaced, but with If-Match only if it has not changed', async () => {
    await stage.client.put('/v1/dogs/rita/', {});
    const page = await stage.enter('#dogs/rita');
    const settings = cardOf(page, 'Settings');
    await settings.getByLabel('owner', { exact: true }).fill('mailto:jane@example.com');
    await settings.getByRole('button', { name: 'Replace' }).click();
    await settings.getByText('The settings of rita were replaced.').waitFor();
    await page.locator('dd.owner', { hasText: 'mailto:jane@example.com' }).waitFor();

    await stage.client.put('/v1/dogs/rita/', { owner: 'mailto:joe@example.com' });
    await settings.getByLabel('only if the dog has not changed').check();
    await settings.getByRole('button', { name: 'Replace' }).click();
    await exchangeOf(page, 'Settings').getByText('412 Precondition Failed').first().waitFor();
    expect(await dogAt(stage.client, '/v1/dogs/rita/')).toMatchObject({ owner: 'mailto:joe@example.com' });
  });

  test('is not replaced if another client has changed its settings, even after a reload, but is replaced after a bark', async () => {
    await stage.client.put('/v1/dogs/rob/', { barkEffects: ['record'] });
    const page = await stage.enter('#dogs/rob');
    const settings = cardOf(page, 'Settings');
    await settings.getByLabel('only if the dog has not changed').check();
    await stage.client.post('/v1/dogs/rob/barks');
    await page.getByRole('button', { name: 'Reload' }).click();
    await cardOf(page, 'The dog').locator('dd.barkCount', { hasText: /^1$/ }).waitFor();
    await settings.getByRole('button', { name: 'Replace' }).click();
    await exchangeOf(page, 'Settings').getByText('204 No Content').first().waitFor();

    await stage.client.put('/v1/dogs/rob/', { owner: 'mailto:joe@example.com', barkEffects: ['record'] });
    await page.getByRole('button', { name: 'Reload' }).click();
    await cardOf(page, 'The dog').locator('dd.owner').waitFor();
    await settings.getByRole('button', { name: 'Replace' }).click();
    await exchangeOf(page, 'Settings').getByText('412 Precondition Failed').first().waitFor();
    expect(await dogAt(stage.client, '/v1/dogs/rob/')).toMatchObject({ owner: 'mailto:joe@example.com' });
  });

  test('is shown in the state of the later of two requests, even if the earlier response arrives last', async () => {
    const page = await stage.enter('#dogs/count-async');
    await cardOf(page, 'The dog').locator('dd.barkCount').waitFor();
    let late = true;
    await page.route(/\/v1\/dogs\/count-async\/$/, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const isLate = late;
      late = false;
      if (isLate) await page.locator('dd.barkCount', { hasText: /^8$/ }).waitFor();
      await route.fulfill({ response, json: { ...body, barkCount: isLate ? 7 : 8 } });
    });
    const again = page.getByRole('button', { name: 'Reload' });
    await again.click();
    await again.click();
    await page.locator('dd.barkCount', { hasText: /^8$/ }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    expect(await shownIn(page.locator('dd.barkCount'))).toBe('8');
  });

  test('is not created if it exists', async () => {
    const page = await stage.enter('#new');
    await page.getByLabel('id', { exact: true }).fill('record-sync');
    await page.getByRole('button', { name: 'Create the dog' }).click();
    await page.getByText('412 Precondition Failed').first().waitFor();
    await heading(page, 'New dog');
  });

  test('is not created with invalid fields, and each error is beside its field', async () => {
    const page = await stage.enter('#new');
    await page.getByLabel('id', { exact: true }).fill('faulty');
    await page.getByLabel('emailDog').check();
    await page.getByLabel('owner', { exact: true }).fill('not a reference');
    await page.getByRole('button', { name: 'Create the dog' }).click();
    const { detail, errors = [] } = documentOf<Problem>(
      await stage.client.put('/v1/dogs/faulty/', {
        owner: 'not a reference',
        barkEffects: ['emailDog', 'record'],
      }),
    );
    await page.getByText(detail, { exact: true }).waitFor();
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) await page.getByText(error.detail, { exact: true }).waitFor();
    expect(['email', 'owner']).toContain(await focused(page));
    await page.getByLabel('owner', { exact: true }).fill('');
    await page.getByLabel('email', { exact: true }).fill('faulty@example.com');
    await page.getByRole('button', { name: 'Create the dog' }).click();
    await heading(page, 'faulty');
  });

  test('has its own address, which the back and forward buttons of the browser reach', async () => {
    const page = await stage.enter('#dogs/count-sync');
    await heading(page, 'count-sync');
    await page.getByRole('link', { name: 'record-sync' }).click();
    await heading(page, 'record-sync');
    expect(await page.title()).toBe('record-sync – Dogs');
    await page.goBack();
    await heading(page, 'count-sync');
    await cardOf(page, 'Make it bark').waitFor();
    expect(await page.locator('nav [aria-current=page]').getAttribute('data-dog')).toBe('count-sync');
    await page.goForward();
    await heading(page, 'record-sync');
  });

  test.each(['unknown', '%', '..', 'a/b', hostile])(
    'shows a problem if the dog "%s" does not exist',
    async (name) => {
      const page = await stage.enter(`#dogs/${encodeURIComponent(name)}`);
      await heading(page, name);
      await cardOf(page, 'The dog').locator('.problem').waitFor();
      expect(await page.locator('img').count()).toBe(0);
    },
  );

  describe('with HTML in its texts', () => {
    test('shows its fields as text', async () => {
      const page = await stage.enter();
      const dog = {
        id: hostile,
        email: hostile,
        owner: `javascript:alert(1)//${hostile}`,
        barkCount: hostile,
        barkEffects: ['emailDog', 'emailOwner', hostile],
        barkHandling: hostile,
        barking: hostile,
      };
      const fulfil = (body: unknown) => ({ contentType: 'application/json', body: JSON.stringify(body) });
      await page.route(/\/v1\/dogs\/\?/, (route) => route.fulfill(fulfil({ dogs: [dog] })));
      await page.route(/\/v1\/dogs\/[^?/]+\/$/, (route) => route.fulfill(fulfil(dog)));
      await page.route(/\/barks\?/, (route) =>
        route.fulfill(fulfil({ barks: [{ id: hostile, dog: hostile, timestamp: 0, status: hostile }] })),
      );
      await page.getByRole('link', { name: 'record-sync' }).click();
      await cardOf(page, 'The dog').locator('dd', { hasText: hostile }).first().waitFor();
      for (const name of ['email', 'owner', 'barkCount', 'barkEffects', 'barkHandling'])
        expect([name, await shownIn(page.locator(`dd.${name}`))]).toEqual([
          name,
          expect.stringContaining(hostile),
        ]);
      await cardOf(page, 'Recorded barks').locator('code', { hasText: hostile }).first().waitFor();
      const links = await page.evaluate('[...document.links].map((link) => link.href)');
      expect(links).not.toContainEqual(expect.stringMatching(/^javascript:/));
      expect(await page.locator('img').count()).toBe(0);
    });

    test('shows a message as text, in the request and in the inbox', async () => {
      const page = await stage.follow('#dogs/message-sync');
      await page.getByLabel('message').fill(`</pre>${hostile}`);
      await page.getByRole('button', { name: 'Bark', exact: true }).click();
      const [inbox] = await Promise.all([
        page.context().waitForEvent('page'),
        cardOf(page, 'Make it bark').getByRole('link', { name: 'Read the mail' }).click(),
      ]);
      await inbox.getByText(hostile).first().waitFor();
      expect(await shownIn(exchangeOf(page, 'Make it bark'))).toContain(hostile);
      expect([await page.locator('img').count(), await inbox.locator('img').count()]).toEqual([0, 0]);
    });

    test('is not created, and the problem shows the HTML as text', async () => {
      const page = await stage.enter('#new');
      await page.getByLabel('id', { exact: true }).fill(hostile);
      await page.getByRole('button', { name: 'Create the dog' }).click();
      await page
        .locator('.problem', { hasText: `"${encodeURIComponent(hostile)}"` })
        .or(page.locator('.problem', { hasText: hostile }))
        .waitFor();
      expect(await page.locator('img').count()).toBe(0);
    });
  });
});
