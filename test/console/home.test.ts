import type { Page } from 'playwright-core';
import { dogAt } from '../support/client.ts';
import { cardOf, describeInBrowser, focused, Stage, signInByKeyboard, tabTo } from './support.ts';

describeInBrowser('The console', () => {
  const stage = new Stage();

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
  const tryVariant = (page: Page, variant: string) =>
    page.getByRole('button', { name: `Try variant ${variant}`, exact: true }).click();

  describe('on the home page', () => {
    test('shows the three variants side by side, and the activity and the dogs', async () => {
      const page = await stage.enter('', { viewport: { width: 1024, height: 768 } });
      const tops = await Promise.all(
        ['A', 'B', 'C'].map(async (variant) => {
          const box = await page.getByRole('region', { name: `Variant ${variant}` }).boundingBox();
          return box?.y;
        }),
      );
      expect(new Set(tops).size).toBe(1);
      await cardOf(page, 'Activity').getByText('No activity yet.').waitFor();
      await page
        .getByRole('navigation', { name: 'Dogs' })
        .getByRole('link', { name: 'count-sync' })
        .waitFor();
      const link = page.getByRole('link', { name: 'Compare the variants' });
      expect(await link.getAttribute('href')).toBe(`${stage.service.access.base_url}/docs#variants`);
    });

    test('creates the example dog for variant A, and shows the request in a notice', async () => {
      const page = await stage.enter();
      await stage.client.delete('/v1/dogs/rex/');
      await tryVariant(page, 'A');
      await heading(page, 'rex').waitFor();
      await page.getByRole('status').getByText('rex was created.').waitFor();
      expect(await page.getByRole('radio', { name: /^POST barks/ }).isChecked()).toBe(true);
      await page.getByRole('button', { name: 'Bark', exact: true }).click();
      await cardOf(page, 'Make it bark').getByText('201 Created').first().waitFor();
      expect(await dogAt(stage.client, '/v1/dogs/rex/')).toMatchObject({ barkCount: 1 });
    });

    test.each([
      ['A', '#dogs/rex', /^POST barks/, /^POST bark\b/],
      ['B', '#dogs/rex/schedule', /^PATCH the dog/, /^POST bark-schedule/],
      ['C', '#dogs/rex/schedule', /^POST bark-schedule/, /^PATCH the dog/],
    ] as const)(
      'selects variant %s even if the draft has another one',
      async (variant, address, own, other) => {
        await stage.client.put('/v1/dogs/rex/', { barkEffects: ['record'], barkHandling: 'sync' });
        const page = await stage.enter(address);
        const [chosen, unchosen] = [own, other].map((name) => page.getByRole('radio', { name }));
        await unchosen?.check();
        await page.getByRole('link', { name: 'Home', exact: true }).click();
        await tryVariant(page, variant);
        await heading(page, 'rex').waitFor();
        expect(new URL(page.url()).hash).toBe(address);
        expect(await chosen?.isChecked()).toBe(true);
        expect(await page.getByText('rex was created').count()).toBe(0);
        // The choice of the user survives a reload.
        await unchosen?.check();
        await page.reload();
        await unchosen?.waitFor();
        expect(await unchosen?.isChecked()).toBe(true);
      },
    );

    test('shows beside the design that the example dog could not be created', async () => {
      const page = await stage.enter();
      await page.route('**/v1/dogs/rex/', (route) =>
        route.fulfill({
          status: 403,
          contentType: 'application/problem+json',
          body: '{"detail":"You must not create dogs."}',
        }),
      );
      await tryVariant(page, 'B');
      const design = page.getByRole('region', { name: 'Variant B' });
      await design.getByRole('alert').getByText('You must not create dogs.').waitFor();
    });

    test('does not open the dog if the user opens another view meanwhile', async () => {
      const page = await stage.enter();
      const opened = Promise.withResolvers<void>();
      await page.route('**/v1/dogs/rex/', async (route) => {
        await opened.promise;
        await route.continue();
      });
      await tryVariant(page, 'B');
      await page.getByRole('link', { name: 'Tokens' }).click();
      await heading(page, 'Tokens').waitFor();
      const response = page.waitForResponse('**/v1/dogs/rex/');
      opened.resolve();
      await (await response).finished();
      expect(new URL(page.url()).hash).toBe('#tokens');
      await heading(page, 'Tokens').waitFor();
    });

    test.each(['#nonsense', '#dogs/', '#%'])('is there at the unknown address "%s"', async (address) => {
      const page = await stage.enter(address);
      await heading(page, 'Make a dog bark without a verb in the URL').waitFor();
    });
  });

  test('has a title and one heading for each view, and the heading gets the focus', async () => {
    const page = await stage.enter();
    for (const [address, title, heading = title] of [
      ['#activity', 'Activity'],
      ['#requests', 'Requests'],
      ['#tokens', 'Tokens'],
      ['#new', 'New dog'],
      ['#dogs/count-sync', 'count-sync'],
      ['#dogs/record-sync/schedule', 'record-sync, schedule', 'record-sync'],
      ['#', 'Home', 'Make a dog bark without a verb in the URL'],
    ] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
      await page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor();
      await page.waitForFunction(`document.title === ${JSON.stringify(`${title} – Dog service`)}`);
      expect([address, await page.getByRole('heading', { level: 1 }).count()]).toEqual([address, 1]);
      expect([address, await focused(page)]).toEqual([address, heading]);
    }
  });

  test('follows the back and the forward button of the browser', async () => {
    const page = await stage.enter('#dogs/count-sync');
    const current = page.locator('.dog-list [aria-current=page]');
    await current.getByText('count-sync').waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: 'record-sync' }).click();
    await current.getByText('record-sync').waitFor();
    await page.goBack();
    await current.getByText('count-sync').waitFor();
    await page.locator('.sections [aria-current=page]', { hasText: 'History' }).waitFor();
    await page.goBack();
    await cardOf(page, 'Make it bark').waitFor();
    await page.goForward();
    await page.goForward();
    await current.getByText('record-sync').waitFor();
  });

  test('is usable with the keyboard only, from the sign-in to a bark', async () => {
    const page = await stage.open();
    await signInByKeyboard(page, stage.service.access);
    await tabTo(page, 'Try variant A');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'rex', exact: true, level: 1 }).waitFor();
    await tabTo(page, 'Message');
    await page.keyboard.type('Woof');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Bark');
    await page.keyboard.press('Enter');
    await cardOf(page, 'Make it bark').getByRole('status').getByText('The dog barked').waitFor();
    expect(await focused(page)).toBe('Bark');
  });
});
