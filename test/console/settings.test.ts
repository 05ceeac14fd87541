import type { Page } from 'playwright-core';
import { dogAt } from '../support/client.ts';
import { cardOf, describeInBrowser, focused, Stage } from './support.ts';

describeInBrowser('The settings of a dog in the console', () => {
  const stage = new Stage();

  const replace = (page: Page) => page.getByRole('button', { name: 'Replace the settings' });
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

  /** Opens the settings of a dog. The page does not notice changes of the dog until it sends a PUT. */
  async function enterWithoutUpdates(id: string): Promise<Page> {
    const page = await stage.enter(`#dogs/${id}/settings`);
    await replace(page).waitFor();
    let isUpToDate = false;
    await page.route(`**/v1/dogs/${id}/`, async (route) => {
      if (route.request().method() === 'PUT') isUpToDate = true;
      if (isUpToDate) await route.continue();
      else await route.fulfill({ status: 304 });
    });
    return page;
  }

  test('show the errors of a new dog at its fields before the page sends a request', async () => {
    const page = await stage.enter('#new?id=max');
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
    expect(await field(page, 'ID').inputValue()).toBe('max');
    await field(page, 'ID').fill('a b');
    await field(page, 'email').focus();
    await page.getByText('Enter an ID of 1 to 40 letters').waitFor();
    await page.getByLabel('emailDog').check();
    await page.getByRole('button', { name: 'Create the dog' }).click();
    await page.getByText('Enter an email address').waitFor();
    expect(await focused(page)).toBe('ID');
    expect(sent).toEqual([]);
  });

  test('are those of a new dog, whose view shows the request that created it', async () => {
    const page = await stage.enter('#new');
    await field(page, 'ID').fill('mia');
    await field(page, 'owner').fill('mailto:jane@example.com');
    await page.getByRole('button', { name: 'Create the dog' }).click();
    await page.getByRole('status').getByText('mia was created').waitFor();
    await page.getByText('201 Created').first().waitFor();
    expect(new URL(page.url()).hash).toBe('#dogs/mia');
    expect(await dogAt(stage.client, '/v1/dogs/mia/')).toMatchObject({ owner: 'mailto:jane@example.com' });
  });

  test('do not replace those of a dog with the same id, to which the form has a link', async () => {
    const page = await stage.enter('#new?id=record-sync');
    await page.getByRole('button', { name: 'Create the dog' }).click();
    await page.getByText('A dog named record-sync already exists.').waitFor();
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.getByRole('heading', { name: 'record-sync', level: 1 }).waitFor();
  });

  test('follow the service, except for a field that the user has changed', async () => {
    await stage.client.put('/v1/dogs/rita/', {});
    const page = await stage.enter('#dogs/rita/settings');
    await field(page, 'email').fill('mine@example.com');
    await stage.client.put('/v1/dogs/rita/', { email: 'new@example.com', owner: 'mailto:new@example.com' });
    await page.getByText('Current value: new@example.com').waitFor();
    expect(await field(page, 'owner').inputValue()).toBe('mailto:new@example.com');
    expect(await field(page, 'email').inputValue()).toBe('mine@example.com');
    await page.getByRole('button', { name: 'Use this value' }).click();
    expect(await field(page, 'email').inputValue()).toBe('new@example.com');
    expect(await focused(page)).toBe('email');
  });

  test('are merged with those of another client', async () => {
    await stage.client.put('/v1/dogs/rosa/', {});
    const page = await enterWithoutUpdates('rosa');
    await field(page, 'email').fill('mine@example.com');
    await stage.client.put('/v1/dogs/rosa/', { email: 'new@example.com', barkHandling: 'async' });
    await replace(page).click();
    await page.getByText('Another client has changed the dog’s settings').waitFor();
    await page.getByRole('button', { name: 'Merge both changes' }).click();
    const merge = page.getByRole('form', { name: 'Merge' });
    await merge.getByRole('button', { name: 'Send the merged settings' }).click();
    await merge.getByText('Choose one of the two values.').waitFor();
    await merge.getByLabel('mine@example.com').check();
    await merge.getByRole('button', { name: 'Send the merged settings' }).click();
    await page.getByText('The service replaced the settings.').waitFor();
    expect(await dogAt(stage.client, '/v1/dogs/rosa/')).toMatchObject({
      email: 'mine@example.com',
      barkHandling: 'async',
    });
  });

  test('can be sent again if only a bark has changed the dog', async () => {
    await stage.client.put('/v1/dogs/rob/', { barkEffects: ['record'] });
    const page = await enterWithoutUpdates('rob');
    await field(page, 'owner').fill('mailto:jane@example.com');
    await stage.client.post('/v1/dogs/rob/barks');
    await replace(page).click();
    await page.getByText('The dog has barked or has a new schedule.').waitFor();
    await page.getByRole('button', { name: 'Send again with the new version' }).click();
    await page.getByText('The service replaced the settings.').waitFor();
    expect(await dogAt(stage.client, '/v1/dogs/rob/')).toMatchObject({ owner: 'mailto:jane@example.com' });
  });

  test('overwrite those of another client if the user turns off If-Match', async () => {
    await stage.client.put('/v1/dogs/rex/', {});
    const page = await enterWithoutUpdates('rex');
    await stage.client.put('/v1/dogs/rex/', { owner: 'mailto:new@example.com' });
    await page.getByLabel('Replace only if the dog has not changed').uncheck();
    await field(page, 'owner').fill('mailto:mine@example.com');
    await replace(page).click();
    await page.getByText('The service replaced the settings.').waitFor();
    expect(await dogAt(stage.client, '/v1/dogs/rex/')).toMatchObject({ owner: 'mailto:mine@example.com' });
  });

  test('disappear with the dog after a confirmation', async () => {
    await stage.client.put('/v1/dogs/zoe/', {});
    const page = await stage.enter('#dogs/zoe/settings');
    const card = cardOf(page, 'Delete');
    await card.getByRole('button', { name: 'Delete …' }).click();
    expect(await focused(page)).toBe('Keep it');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('Delete …');
    await page.keyboard.press('Enter');
    await card.getByRole('button', { name: 'Yes, delete zoe' }).click();
    await page.getByRole('status').getByText('zoe was deleted').waitFor();
    expect((await stage.client.get('/v1/dogs/zoe/')).status).toBe(404);
  });
});
