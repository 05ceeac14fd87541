import type { Page } from 'playwright-core';
import { button, describeInBrowser, Stage, shownIn } from './support.ts';

describeInBrowser('The page /docs', () => {
  const stage = new Stage();
  /** Returns the article about an operation. A search in the whole page takes several times longer. */
  const articleOf = (page: Page, operation: string) =>
    page.locator(`article[aria-labelledby="${operation}"]`);

  test('shows all examples in the language that the reader selects, and copies them with the URL of the service', async () => {
    const page = await stage.open('docs', { permissions: ['clipboard-read', 'clipboard-write'] });
    const exampleOf = (operation: string) => articleOf(page, operation).locator('.examples figure').first();
    expect(await shownIn(exampleOf('PostBarks'))).toContain('curl -iu');
    await exampleOf('PostBarks').getByRole('button', { name: 'TypeScript' }).click();
    expect(await shownIn(exampleOf('GetDog'))).toContain('await client.GET(');
    expect(await shownIn(exampleOf('GetDog'))).not.toContain('curl -iu');
    await exampleOf('PostBarks').getByRole('button', { name: 'Copy' }).click();
    await exampleOf('PostBarks').getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `baseUrl: '${stage.access.base_url}',`,
    );
    await page.reload();
    expect(await shownIn(exampleOf('GetDog').getByRole('button', { pressed: true }))).toBe('TypeScript');
  });

  test('finds an operation, and sends a request with the credentials of the reader', async () => {
    await stage.newDog('otto');
    const page = await stage.open('docs');
    await page.getByRole('banner').getByRole('button', { name: 'Search' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByRole('combobox').fill('cancel a bark');
    await dialog.getByRole('option', { name: 'Cancel a bark' }).first().click();
    await page.waitForURL(/#(asynchronous-barks-cancel-a-bark|DeleteBark)$/);

    const article = articleOf(page, 'GetDog');
    await button(article, 'Try it: GetDog').click();
    const form = article.getByRole('region', { name: 'Try GetDog', exact: true });
    await form.getByLabel('User name').fill(stage.access.username);
    await form.getByLabel('Password').fill(stage.access.password);
    await button(form, 'Sign in').click();
    await form.getByLabel('dog_id').fill('otto');
    await button(form, 'Send GET').click();
    await form.getByText('200 OK').first().waitFor();
    await form.getByText('"id": "otto"').waitFor();

    const example = article.locator('.examples figure').first();
    expect(await shownIn(example)).toContain(`curl -iu ${stage.access.username}:"$PASSWORD"`);
    await button(page, 'Sign out').click();
    expect(await shownIn(example)).toContain('curl -iu jane:"$PASSWORD"');
  });
});
