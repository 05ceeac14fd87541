import { describeInBrowser, expectFocus, heading, Stage } from './support.ts';

describeInBrowser('The search in the console', () => {
  const stage = new Stage();

  test('finds a dog, an action and a section of the documentation, which the Enter key opens', async () => {
    const page = await stage.enter();
    const dialog = page.getByRole('dialog', { name: 'Search' });
    const results = (group: string) =>
      page.getByRole('group', { name: group, exact: true }).getByRole('option');
    await page.getByText(/^\d+ dogs$/).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('RECORD-s');
    await results('Dogs').getByText('record-sync').waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'record-sync').waitFor();
    await expectFocus(page, 'record-sync');
    expect(await dialog.isVisible()).toBe(false);

    await page.keyboard.press('/');
    await page.keyboard.type('tokens');
    await results('Actions').getByText('Tokens').waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Tokens').waitFor();

    const button = page.getByRole('button', { name: 'Search' });
    await button.click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.locator('button:focus', { hasText: 'Search' }).waitFor();
    await button.click();
    await page.keyboard.type('idempotency');
    await results('Documentation').first().click();
    await page.waitForURL(/\/docs#.+/);
    await page.locator(`[id="${new URL(page.url()).hash.slice(1)}"]`).waitFor();
  });
});
