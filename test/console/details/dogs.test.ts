import type { Page } from 'playwright-core';
import {
  button,
  cardOf,
  describeInBrowser,
  expectAccessibleState,
  expectFocus,
  field,
  heading,
  Stage,
  shownIn,
  trafficOf,
} from '../support.ts';

describeInBrowser('A dog in the console', () => {
  const stage = new Stage();

  test('that already exists is not created, and the form has a link to it', async () => {
    const page = await stage.enter('#new');
    await field(page, 'ID').fill('record-sync');
    await page.getByRole('button', { name: 'Create the dog' }).click();
    await page.getByText('412 Precondition Failed').first().waitFor();
    await page.getByRole('alert').getByText('A dog named record-sync already exists.').waitFor();
    await expectAccessibleState(page);
    await page.getByRole('link', { name: 'Open it' }).click();
    await heading(page, 'record-sync').waitFor();
  });

  test('is not created with invalid fields, and each error appears once, at its field', async () => {
    const page = await stage.enter('#new?id=a b');
    const { sent } = trafficOf(page);
    await page.getByLabel('emailDog').check();
    await field(page, 'owner').fill('not a reference');
    await page.getByRole('button', { name: 'Create the dog' }).click();
    const messages = {
      ID: 'Enter an ID of 1 to 40 letters, digits, hyphens or underscores.',
      email: 'Enter an email address, or clear the effect emailDog.',
      owner: 'Enter a URI reference without spaces, such as mailto:jane@example.com.',
    };
    for (const [name, message] of Object.entries(messages)) {
      expect([name, await page.getByText(message, { exact: true }).count()]).toEqual([name, 1]);
      expect(await field(page, name).getAttribute('aria-invalid')).toBe('true');
      const id = (await field(page, name).getAttribute('aria-describedby'))?.split(' ').at(-1);
      expect(await shownIn(page.locator(`[id="${id}"]`))).toBe(message);
    }
    await expectFocus(page, 'ID');
    expect(sent).not.toContainEqual(expect.stringMatching(/^PUT/));
    await expectAccessibleState(page);
  });

  test('is not created if the service rejects a field, and the error is at the field', async () => {
    const page = await stage.enter('#new?id=faulty');
    const errors = [{ pointer: '/owner', detail: 'must be another URI' }];
    const json = { detail: 'The request body is invalid.', errors };
    await page.route('**/v1/dogs/faulty/', (route) => route.fulfill({ status: 403, json }));
    await page.getByRole('button', { name: 'Create the dog' }).click();
    await page.locator('form').getByText('Must be another URI.').waitFor();
    expect(await field(page, 'owner').getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('form').getByRole('alert').count()).toBe(0);
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
    const viewport = { width: 1024, height: 768 };
    const page = await stage.enter('#dogs/dog-137', { viewport, prepare });
    const list = page.getByRole('list', { name: 'All dogs' });
    await page.getByText('250 dogs', { exact: true }).waitFor();
    await page.getByText('3 of 5').waitFor();
    expect(await list.locator('[aria-current=page]').getAttribute('data-dog')).toBe('dog-137');
    for (const selector of [
      '.dogs [aria-current]',
      '.views a',
      '.pages button:last-child',
      '.dog-list input',
    ])
      expect([selector, await isInView(page, selector)]).toEqual([selector, true]);
    expect(await page.evaluate('scrollY')).toBe(0);

    await button(page, 'Next page').click();
    await list.locator('[data-dog=dog-151]').waitFor();
    await page.getByRole('list', { name: 'Open dog' }).getByRole('link', { name: 'dog-137' }).waitFor();
    const filter = page.getByRole('searchbox', { name: 'Filter the dogs by ID' });
    await filter.fill('DOG-24');
    await page.getByText('11 of 250 dogs').waitFor();
    expect(await shownIn(list.locator('mark').first())).toBe('dog-24');
    await filter.fill('rex');
    await page.getByText('No dog matches “rex”.').waitFor();
    await page.getByRole('link', { name: 'Create it' }).click();
    await heading(page, 'New dog').waitFor();
    expect(await field(page, 'ID').inputValue()).toBe('rex');
  });

  /** Returns true if an element of the page is inside the window, and inside the list if it is an entry. */
  const isInView = (page: Page, selector: string) =>
    page.evaluate(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      const { left, top, bottom } = element.getBoundingClientRect();
      const frame = element.closest('.dogs')?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
      const middle = document.elementFromPoint(left + 5, (top + bottom) / 2);
      return top >= frame.top && bottom <= frame.bottom && bottom <= innerHeight && element.contains(middle);
    })()`);

  test('with the longest ID is not wider than the list or the window', async () => {
    const id = 'w'.repeat(40);
    await stage.newDog(id, {});
    for (const width of [1440, 390]) {
      const page = await stage.enter(width < 500 ? '#dogs' : `#dogs/${id}`, {
        viewport: { width, height: 800 },
      });
      const entry = page.locator(`[data-dog=${id}]`);
      await entry.waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await entry.evaluate((link) => link.scrollWidth <= link.clientWidth)).toBe(true);
      await entry.click();
      await heading(page, id).waitFor();
      await cardOf(page, 'Make it bark').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });
});
