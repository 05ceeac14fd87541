import type { Page } from 'playwright-core';
import { button, cardOf, describeInDetail, dogLink, heading, stage } from './support.ts';

describeInDetail('The home page of the console', () => {
  const tryVariant = (page: Page, variant: string) => button(page, `Try variant ${variant}`).click();

  test('shows the three variants side by side, and the activity and the dogs', async () => {
    const page = await stage.enter('', { viewport: { width: 1024, height: 768 } });
    const tops = await Promise.all(
      ['A', 'B', 'C'].map(async (variant) => {
        const box = await page.getByRole('region', { name: `Variant ${variant}` }).boundingBox();
        return box?.y;
      }),
    );
    expect(new Set(tops).size).toBe(1);
    await page.getByText('Each button makes the dog rex bark').waitFor();
    await cardOf(page, 'Activity').waitFor();
    await dogLink(page, 'count-sync').waitFor();
    const link = page.getByRole('link', { name: 'Compare the variants' });
    expect(await link.getAttribute('href')).toBe(`${stage.access.base_url}/docs#variants`);
  });

  test('shows beside the design that the example dog could not be created', async () => {
    const page = await stage.enter();
    const json = { detail: 'You must not create dogs.' };
    await page.route('**/v1/dogs/rex/', (route) => route.fulfill({ status: 403, json }));
    await tryVariant(page, 'B');
    const design = page.getByRole('region', { name: 'Variant B' });
    await design.getByRole('alert').getByText(json.detail).waitFor();
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
});
