import type { Page } from 'playwright-core';
import { cardOf, describeInBrowser, expectAccessible, Stage } from './support.ts';

/** The main views, each with the steps that show it. */
const views: Record<string, (page: Page) => Promise<unknown>> = {
  'the list': (page) => page.getByRole('heading', { name: 'Make a dog bark' }).waitFor(),
  'a new dog with errors': async (page) => {
    await page.getByRole('link', { name: 'New dog' }).click();
    await page.getByLabel('emailDog').check();
    await page.getByLabel('id', { exact: true }).fill('ä');
    await page.getByRole('button', { name: 'Create the dog' }).click();
    await page.locator('.problem').waitFor();
  },
  'a dog with a schedule and a bark': async (page) => {
    await page.getByRole('link', { name: 'record-async' }).click();
    await cardOf(page, 'Make it bark').waitFor();
    await page.getByRole('button', { name: 'Set the schedule' }).click();
    await page.locator('.timeline .coming').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Bark', exact: true }).click();
    await cardOf(page, 'Progress of the bark').first().waitFor();
    await page.getByRole('button', { name: 'Delete …' }).click();
    await cardOf(page, 'Progress of the bark').first().getByText('The dog barked.').waitFor();
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
  },
};

const schemes = ['light', 'dark'] as const;
const sizes = { wide: { width: 1360, height: 900 }, narrow: { width: 360, height: 740 } };
const looks = schemes.flatMap((scheme) =>
  Object.entries(sizes).map(([size, viewport]) => ({ scheme, size, viewport })),
);

describeInBrowser('The console', () => {
  const stage = new Stage();

  describe.each(looks)('in $scheme, $size', ({ scheme, viewport }) => {
    const options = { viewport, colorScheme: scheme, bypassCSP: true, reducedMotion: 'reduce' } as const;

    test('has no accessibility violation in the sign-in form', async () => {
      await expectAccessible(await stage.open('', options), viewport.width);
    });

    test.each(Object.entries(views))('has no accessibility violation in %s', async (_, show) => {
      const page = await stage.enter('', options);
      await show(page);
      await expectAccessible(page, viewport.width);
    });
  });

  test('has no accessibility violation while the service does not respond', async () => {
    const page = await stage.enter('#dogs/record-sync', { bypassCSP: true });
    await cardOf(page, 'Make it bark').waitFor();
    await page.route('**/v1/**', (route) => route.abort('connectionrefused'));
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('alert').waitFor();
    await expectAccessible(page, 1280);
  });
});
