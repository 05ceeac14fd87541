import type { Page } from 'playwright-core';
import { describeInBrowser, describeInDetail, expectFocus, heading, stage } from './support.ts';

const box = (page: Page) => page.getByRole('combobox', { name: 'Search' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' });
const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const results = (page: Page, name: string) => group(page, name).getByRole('option');

describeInBrowser('The search in the console', () => {
  test('finds a dog, an action and a section of the documentation, which the Enter key opens', async () => {
    const page = await stage.enter();
    await page.getByText(/^\d+ dogs$/).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('RECORD-s');
    await results(page, 'Dogs').getByText('record-sync').waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'record-sync').waitFor();
    await expectFocus(page, 'record-sync');
    expect(await dialog(page).isVisible()).toBe(false);

    await page.keyboard.press('/');
    await page.keyboard.type('tokens');
    await results(page, 'Actions').getByText('Tokens').waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Tokens').waitFor();

    const open = page.getByRole('button', { name: 'Search' });
    await open.click();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await page.locator('button:focus', { hasText: 'Search' }).waitFor();
    await open.click();
    await page.keyboard.type('idempotency');
    await results(page, 'Documentation').first().click();
    await page.waitForURL(/\/docs#.+/);
    await page.locator(`[id="${new URL(page.url()).hash.slice(1)}"]`).waitFor();

    // The search of the documentation finds the dogs of the session, too.
    await open.click();
    await page.keyboard.type('notify');
    await results(page, 'Dogs').getByText('notify-owner').click();
    await heading(page, 'notify-owner').waitFor();
  });
});

describeInDetail('The search', () => {
  const active = (page: Page) => page.getByRole('option', { selected: true });

  /** Waits until the list of dogs and the view are complete, and opens the search. */
  async function openSearch(page: Page): Promise<void> {
    await page.getByText(/^\d+ dogs$/).waitFor();
    await page.keyboard.press('Control+k');
    await box(page).waitFor();
  }

  test('moves through the results with the arrow keys', async () => {
    const page = await stage.enter();
    await openSearch(page);
    await page.keyboard.type('bark');
    await results(page, 'Documentation').first().waitFor();
    const all = page.getByRole('option');
    const count = await all.count();
    expect(count).toBeGreaterThan(3);
    const activeIndex = async () => {
      const id = await active(page).getAttribute('id');
      expect(await box(page).getAttribute('aria-activedescendant')).toBe(id);
      return Number(id?.split('-').at(-1));
    };
    for (const [key, index] of [
      ['ArrowDown', 1],
      ['ArrowUp', 0],
      ['ArrowUp', count - 1],
      ['ArrowDown', 0],
    ] as const) {
      await page.keyboard.press(key);
      expect(await activeIndex()).toBe(index);
      expect(await active(page).isVisible()).toBe(true);
    }
  });

  test('states that nothing matches, and finds dogs even if the documentation is not available', async () => {
    const page = await stage.enter();
    await page.route('**/docs', (route) => route.fulfill({ status: 503 }));
    await openSearch(page);
    await page.keyboard.type('xyzzyqwv');
    await dialog(page).getByRole('status').getByText('No results for “xyzzyqwv”.').waitFor();
    await page.keyboard.press('Enter');
    expect(await dialog(page).isVisible()).toBe(true);
    await box(page).fill('count-sync');
    await dialog(page).getByText('1 result. The documentation is not available.').waitFor();
    await results(page, 'Dogs').getByText('count-sync').waitFor();
  });

  test('offers only the documentation before the sign-in', async () => {
    const page = await stage.open();
    await page.getByRole('button', { name: 'Search' }).click();
    await page.keyboard.type('dog');
    await results(page, 'Documentation').first().waitFor();
    expect(await group(page, 'Dogs').count()).toBe(0);
    expect(await group(page, 'Actions').count()).toBe(0);
  });
});
