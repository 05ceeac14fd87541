import type { Page } from 'playwright-core';
import { dogAt } from '../support/client.ts';
import {
  button,
  cardOf,
  describeInBrowser,
  describeInDetail,
  dogLink,
  exchangeOf,
  expectAccessibleState,
  expectFits,
  expectFocus,
  expectInWindow,
  field,
  heading,
  shownIn,
  sizes,
  stage,
} from './support.ts';

describeInBrowser('A dog in the console', () => {
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
});

describeInDetail('A dog in the console', () => {
  test('that already exists is not created, and the form has a link to it, which fits with the longest ID', async () => {
    const id = 'w'.repeat(40);
    await stage.newDog(id, {});
    const page = await stage.enter('#new');
    await field(page, 'ID').fill(id);
    await page.getByRole('button', { name: 'Create the dog' }).click();
    await page.getByText('412 Precondition Failed').first().waitFor();
    await page.getByRole('alert').getByText(`A dog named ${id} already exists.`).waitFor();
    await expectAccessibleState(page);
    await page.getByRole('link', { name: 'Open it' }).click();
    await heading(page, id).waitFor();
    await cardOf(page, 'Make it bark').waitFor();
    await expectFits(page);
    const entry = dogLink(page, id);
    expect(await entry.evaluate((link) => link.scrollWidth <= link.clientWidth)).toBe(true);
  });

  test('that is unknown can be created with its ID, unless the ID is invalid', async () => {
    await stage.client.delete('/v1/dogs/nina/');
    const page = await stage.enter('#dogs/%25');
    await heading(page, '%').waitFor();
    await page.locator('main').getByRole('alert').waitFor();
    expect(await page.getByRole('link', { name: 'Create %' }).count()).toBe(0);
    await page.evaluate("location.hash = '#dogs/nina'");
    await page.getByRole('alert').getByText('There is no dog named nina.').waitFor();
    await expectAccessibleState(page);
    await page.getByRole('link', { name: 'Create nina' }).click();
    await heading(page, 'New dog').waitFor();
    expect(await field(page, 'ID').inputValue()).toBe('nina');
  });

  test('in a list of 250 is marked, stays in view on another page, and is found by a part of its ID', async () => {
    const ids = Array.from({ length: 250 }, (_, i) => `dog-${i + 1}`);
    const settings = { barkEffects: ['record'], barkHandling: 'sync', barkCount: 1 };
    const prepare = async (page: Page) => {
      await page.route(/\/v1\/dogs\/(\?.*)?$/, (route) => {
        const from = Number(new URL(route.request().url()).searchParams.get('from') ?? 0);
        const dogs = ids.slice(from, from + 100).map((id) => ({ id, ...settings }));
        const link = `<${stage.access.base_url}/v1/dogs/?from=${from + 100}>; rel="next"`;
        return route.fulfill({ json: { dogs }, headers: from < 200 ? { Link: link } : {} });
      });
      await page.route('**/v1/dogs/dog-137/', (route) =>
        route.fulfill({ json: { id: 'dog-137', ...settings }, headers: { ETag: '"1"' } }),
      );
    };
    const page = await stage.enter('#dogs/dog-137', { viewport: sizes.medium, prepare });
    const list = page.getByRole('list', { name: 'All dogs' });
    await page.getByText('250 dogs', { exact: true }).waitFor();
    await page.getByText('3 of 5').waitFor();
    expect(await list.locator('[aria-current=page]').getAttribute('data-dog')).toBe('dog-137');
    const views = page.getByRole('navigation', { name: 'Views' });
    const filter = page.getByRole('searchbox', { name: 'Filter the dogs by ID' });
    const visible = [dogLink(page, 'dog-137'), views, button(page, 'Next page'), filter];
    await expectInWindow(page, [sizes.medium], visible);
    await button(page, 'Next page').click();
    await list.locator('[data-dog=dog-151]').waitFor();
    await page.getByRole('list', { name: 'Open dog' }).getByRole('link', { name: 'dog-137' }).waitFor();
    await filter.fill('DOG-24');
    expect(await shownIn(list.locator('mark').first())).toBe('dog-24');
    await filter.fill('rex');
    await page.getByText('No dog matches “rex”.').waitFor();
    await page.getByRole('link', { name: 'Create it' }).click();
    await heading(page, 'New dog').waitFor();
    expect(await field(page, 'ID').inputValue()).toBe('rex');
  });
});
