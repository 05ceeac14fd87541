import type { Page } from 'playwright-core';
import type { Dog } from '../../client/index.ts';
import { dogAt } from '../support/client.ts';
import { facts } from './dog.ts';
import {
  button,
  cardOf,
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

  test('that only sends mail keeps no record of its barks, and the console states so', async () => {
    const page = await stage.enterDog('moss', { barkEffects: ['emailDog'], email: 'moss@example.com' });
    await button(page, 'Bark').click();
    await page.getByText('Its settings neither count nor record this bark.').waitFor();
    expect(await shownIn(facts(page))).toMatch(
      /^Barks\s+not counted\s+Last known bark\s+not kept\s+Scheduled\s+none\s+Effects\s+emailDog\s+Handling\s+sync$/,
    );
    expect(await shownIn(dogLink(page, 'moss'))).toBe('moss');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('This dog keeps no record of its barks.').waitFor();
    expect(await shownIn(page.locator('main'))).not.toMatch(/never|has not barked|latest 100/);
  });

  test('shows its barks in a chart and a table', async () => {
    await stage.newDog('rosie');
    for (let barks = 0; barks < 2; barks++) await stage.client.post('/v1/dogs/rosie/barks');
    const page = await stage.enter('#dogs/rosie/history');
    const history = cardOf(page, 'History');
    await history.locator('.extent').getByText('All 2 known barks', { exact: true }).waitFor();
    expect(await shownIn(history.locator('tbody tr').first())).toMatch(/\s+complete\s+s[0-9A-Z]{26}/);
    expect(await history.locator('tbody tr').count()).toBe(2);
    expect(await history.getByRole('group').getByRole('img').count()).toBeGreaterThan(0);
  });
});
