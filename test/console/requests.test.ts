import type { Page } from 'playwright-core';
import { dogAt } from '../support/client.ts';
import { button, describeInBrowser, describeInDetail, shownIn, stage } from './support.ts';

const list = (page: Page) => page.getByRole('region', { name: 'All requests' });
const items = (page: Page) => list(page).getByRole('listitem');
const details = (page: Page) => page.locator('.request-details');

async function barkAndOpen(id: string): Promise<Page> {
  const page = await stage.enterDog(id);
  await button(page, 'Bark').click();
  await page.getByText('201 Created').first().waitFor();
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  return page;
}

describeInBrowser('The requests in the console', () => {
  test('are a list without background reads, which the filters narrow down', async () => {
    const page = await barkAndOpen('ada');
    await items(page)
      .filter({ hasText: /POST \/v1\/dogs\/ada\/barks[\s\S]*201 Created/ })
      .waitFor();
    expect(await shownIn(list(page))).not.toContain('background\n');
    const foreground = await items(page).count();
    await page.getByLabel('Hide background reads').uncheck();
    await items(page).filter({ hasText: 'background' }).first().waitFor();
    expect(await items(page).count()).toBeGreaterThan(foreground);

    const search = list(page).getByLabel('Search');
    await search.fill('POST');
    expect(await items(page).count()).toBe(1);
    await search.fill('nothing');
    await page.getByText('No request matches the filter.').waitFor();
    await search.fill('');
    await button(page, 'Clear').click();
    await page.getByText('No requests yet, except background reads.').waitFor();
  });

  test('can be sent again, or edited and then sent, are gone after a reload, and never contain the password', async () => {
    const page = await barkAndOpen('cleo');
    expect(await shownIn(page.locator('body'))).not.toContain(stage.access.password);
    await items(page).getByRole('button', { name: 'POST /v1/dogs/cleo/barks' }).click();
    await button(page, 'Send again').click();
    await items(page).filter({ hasText: 'POST' }).nth(1).waitFor();
    expect(await dogAt(stage.client, '/v1/dogs/cleo/')).toMatchObject({ barkCount: 2 });
    await button(page, 'Edit and send').click();
    expect(await page.getByLabel('Path').inputValue()).toBe('/v1/dogs/cleo/barks');
    expect(await page.getByLabel('Header fields').inputValue()).toBe('Accept: application/json');
    await page.getByLabel('Header fields').fill('Accept: application/json\nPrefer: respond-async');
    await button(page, 'Send').click();
    await details(page).getByText('202 Accepted').first().waitFor();
    expect(await shownIn(details(page))).toContain('Prefer: respond-async');
    await items(page).filter({ hasText: '202 Accepted' }).waitFor();
    await page.reload();
    await page.getByText('No requests yet, except background reads.').waitFor();
  });
});

describeInDetail('The requests in the console', () => {
  test('for tokens are kept without their bodies, and a refused one does not end the session', async () => {
    const page = await stage.enter('#requests');
    await button(page, 'New request').click();
    await page.getByLabel('Method').last().selectOption('POST');
    await page.getByLabel('Path').fill('/oauth2/v4/token');
    await page.getByLabel('Header fields').fill('Content-Type: application/x-www-form-urlencoded');
    const secret = 'a-secret-of-mine';
    await page
      .getByLabel('Body')
      .fill(`grant_type=refresh_token&client_id=x&client_secret=${secret}&refresh_token=y`);
    await page.keyboard.press('Control+Enter');
    await items(page).getByRole('button', { name: 'POST /oauth2/v4/token' }).click();
    await page.getByText('The history does not keep the bodies of this exchange').waitFor();
    expect(await shownIn(page.locator('main'))).not.toContain(secret);
    expect(await button(page, 'Send again').count()).toBe(0);
    expect(await button(page, 'Edit and send').count()).toBe(0);
  });

  test('have one column on a phone, with a way back to the list', async () => {
    const page = await stage.enter('#dogs/record-sync', { viewport: { width: 390, height: 844 } });
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await items(page).getByRole('button').first().click();
    expect(await list(page).isVisible()).toBe(false);
    await page.locator('.request-details:focus').waitFor();
    await button(page, '← All requests').click();
    await list(page).waitFor();
  });
});
