import type { Page } from 'playwright-core';
import {
  button,
  cardOf,
  describeInBrowser,
  expectAccessibleState,
  field,
  focused,
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
    expect(await focused(page)).toBe('ID');
    expect(sent).not.toContainEqual(expect.stringMatching(/^PUT/));
    await expectAccessibleState(page);
  });

  test('that is unknown can be created, and the form has its ID', async () => {
    await stage.client.delete('/v1/dogs/nina/');
    const page = await stage.enter('#dogs/nina');
    await page.getByRole('alert').getByText('There is no dog named nina.').waitFor();
    await expectAccessibleState(page);
    await page.getByRole('link', { name: 'Create nina' }).click();
    await heading(page, 'New dog').waitFor();
    expect(await field(page, 'ID').inputValue()).toBe('nina');
  });

  test('shows a problem if its ID is invalid', async () => {
    const page = await stage.enter('#dogs/%25');
    await heading(page, '%').waitFor();
    await page.locator('main').getByRole('alert').waitFor();
    expect(await page.getByRole('link', { name: 'Create %' }).count()).toBe(0);
  });

  describe('in a list of 250', () => {
    const ids = Array.from({ length: 250 }, (_, i) => `dog-${i + 1}`);
    const settings = { barkEffects: ['record'], barkHandling: 'sync', barkCount: 1 };
    const viewport = { width: 1024, height: 768 };

    /** Opens the console, in which the service has 250 dogs. */
    async function enterWithMany(address: string): Promise<Page> {
      const prepare = async (page: Page) => {
        await page.route(/\/v1\/dogs\/(\?.*)?$/, (route) => {
          const from = Number(new URL(route.request().url()).searchParams.get('from') ?? 0);
          const dogs = ids.slice(from, from + 100).map((id) => ({ id, ...settings }));
          const link = `<${stage.access.base_url}/v1/dogs/?from=${from + 100}>; rel="next"`;
          return route.fulfill({ json: { dogs }, headers: from < 200 ? { Link: link } : {} });
        });
        await page.route(/\/v1\/dogs\/dog-\d+\/$/, (route) => {
          const id = new URL(route.request().url()).pathname.split('/').at(-2);
          return route.fulfill({ json: { id, ...settings }, headers: { ETag: '"1"' } });
        });
      };
      const page = await stage.enter(address, { viewport, prepare });
      await page.getByText('250 dogs', { exact: true }).waitFor();
      return page;
    }

    const list = (page: Page) => page.getByRole('list', { name: 'All dogs' });
    const shownIds = (page: Page) =>
      page.evaluate(
        '[...document.querySelectorAll(\'[aria-label="All dogs"] a\')].map((link) => link.dataset.dog)',
      );
    /** Returns true if an element of the page is inside the window, and inside the list if it is an entry. */
    const isInView = (page: Page, selector: string) =>
      page.evaluate(`(() => {
        const element = document.querySelector(${JSON.stringify(selector)});
        const { top, bottom } = element.getBoundingClientRect();
        const frame = element.closest('.dogs')?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
        const middle = document.elementFromPoint(element.getBoundingClientRect().left + 5, (top + bottom) / 2);
        return top >= frame.top && bottom <= frame.bottom && bottom <= innerHeight && element.contains(middle);
      })()`);

    test('is marked and visible, and the links and the page buttons stay in view', async () => {
      const page = await enterWithMany('#dogs/dog-137');
      const marked = list(page).locator('[aria-current=page]');
      expect(await marked.getAttribute('data-dog')).toBe('dog-137');
      expect(await shownIds(page)).toEqual(ids.slice(100, 150));
      for (const selector of [
        '.dogs [aria-current]',
        '.views a',
        '.pages button:last-child',
        '.dog-list input',
      ])
        expect([selector, await isInView(page, selector)]).toEqual([selector, true]);
      expect(await page.evaluate('scrollY')).toBe(0);
    });

    test('remains at the top of the list on another page, and is found by a part of its ID', async () => {
      const page = await enterWithMany('#dogs/dog-1');
      await page.getByText('1 of 5').waitFor();
      expect(await button(page, 'Previous page').getAttribute('aria-disabled')).toBe('true');
      await button(page, 'Next page').click();
      expect(await shownIds(page)).toEqual(ids.slice(50, 100));
      await page.getByRole('list', { name: 'Open dog' }).getByRole('link', { name: 'dog-1' }).waitFor();
      const filter = page.getByRole('searchbox', { name: 'Filter the dogs by ID' });
      await filter.fill('DOG-24');
      await page.getByText('11 of 250 dogs').waitFor();
      expect(await shownIn(list(page).locator('mark').first())).toBe('dog-24');
      await filter.fill('rex');
      await page.getByText('No dog matches “rex”.').waitFor();
      await page.getByRole('link', { name: 'Create it' }).click();
      await heading(page, 'New dog').waitFor();
      expect(await field(page, 'ID').inputValue()).toBe('rex');
    });
  });

  test('with the longest ID is not wider than the list or the window', async () => {
    const id = 'w'.repeat(40);
    await stage.newDog(id, {});
    for (const width of [1440, 390]) {
      const page = await stage.enter(width < 500 ? '' : `#dogs/${id}`, { viewport: { width, height: 800 } });
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
