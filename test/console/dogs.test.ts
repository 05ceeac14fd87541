import type { Page } from 'playwright-core';
import {
  button,
  cardOf,
  describeInDetail,
  dogLink,
  expectAccessibleState,
  expectFits,
  expectInWindow,
  field,
  heading,
  shownIn,
  sizes,
  stage,
} from './support.ts';

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
