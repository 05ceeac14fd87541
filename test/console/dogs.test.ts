import type { Page } from 'playwright-core';
import type { Dog } from '../../client/index.ts';
import { dogAt } from '../support/client.ts';
import {
  button,
  describeInBrowser,
  dogLink,
  exchangeOf,
  expectFocus,
  field,
  heading,
  Stage,
  shownIn,
} from './support.ts';

describeInBrowser('A dog in the console', () => {
  const stage = new Stage();

  test('is created and deleted, and the list of dogs follows', async () => {
    await stage.client.delete('/v1/dogs/max/');
    const page = await stage.enter();
    await page.getByRole('link', { name: 'New dog' }).click();
    await heading(page, 'New dog').waitFor();
    await field(page, 'ID').fill('max');
    await page.getByLabel('emailDog').check();
    await field(page, 'email').fill('max@example.com');
    await button(page, 'Create the dog').click();
    await heading(page, 'max').waitFor();
    expect(new URL(page.url()).hash).toBe('#dogs/max');
    await exchangeOf(page, 'max was created').locator('summary').first().click();
    const created = await shownIn(exchangeOf(page, 'max was created'));
    expect(created).toMatch(/PUT\s+\/v1\/dogs\/max\/\s+201 Created/);
    expect(created).toContain('If-None-Match: *');
    expect(await dogAt(stage.client, '/v1/dogs/max/')).toMatchObject({
      email: 'max@example.com',
      barkEffects: ['emailDog', 'record'],
      barkHandling: 'sync',
    });
    await dogLink(page, 'max').waitFor();

    await button(page, 'Bark').click();
    await page.getByText('The dog barked.').waitFor();
    expect(await page.getByText('max was created').count()).toBe(0);

    await page.getByRole('link', { name: 'Settings' }).click();
    await button(page, 'Delete …').click();
    await expectFocus(page, 'Keep it');
    await page.keyboard.press('Enter');
    await expectFocus(page, 'Delete …');
    await page.keyboard.press('Enter');
    await button(page, 'Yes, delete max').click();
    await exchangeOf(page, 'max was deleted').getByText('204 No Content').first().waitFor();
    expect((await stage.client.get('/v1/dogs/max/')).status).toBe(404);
    await dogLink(page, 'max').waitFor({ state: 'detached' });
  });

  test('shows that its address is suspended, and why', async () => {
    const address = 'tess@example.com';
    const dog: Dog = {
      id: 'tess',
      barkCount: 1,
      barkEffects: ['emailDog'],
      barkHandling: 'sync',
      barking: false,
      email: address,
      suspended: [{ address, reason: 'bounced', since: 1_795_356_187 }],
    };
    const prepare = (page: Page) => page.route('**/v1/dogs/tess/', (route) => route.fulfill({ json: dog }));
    const page = await stage.enter('#dogs/tess', { prepare });
    await page
      .getByRole('alert')
      .getByText(`tess sends no mail to ${address}, because its mail server refused a mail`)
      .waitFor();
  });
});
