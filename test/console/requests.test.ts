import { barkAndOpen, details, items, list } from './requests.ts';
import { button, describeInBrowser, Stage, shownIn } from './support.ts';

describeInBrowser('The requests in the console', () => {
  const stage = new Stage();

  test('are a list without background reads, which the filters narrow down', async () => {
    const page = await barkAndOpen(stage, 'ada');
    await items(page)
      .filter({ hasText: /POST \/v1\/dogs\/ada\/barks[\s\S]*201 Created/ })
      .waitFor();
    expect(await shownIn(list(page))).not.toContain('background\n');
    const foreground = await items(page).count();
    await page.getByLabel('Hide background reads').uncheck();
    await items(page).filter({ hasText: 'background' }).first().waitFor();
    expect(await items(page).count()).toBeGreaterThan(foreground);

    const search = list(page).getByLabel('Search');
    await search.fill('POST');
    expect(await items(page).count()).toBe(1);
    await search.fill('ada/barks 201');
    expect(await items(page).filter({ hasText: 'POST' }).count()).toBe(1);
    await search.fill('nothing');
    await page.getByText('No request matches the filter.').waitFor();
    await search.fill('');
    await button(page, 'Clear').click();
    await page.getByText('No request to show, except background reads.').waitFor();
  });

  test('can be edited and then sent', async () => {
    const page = await barkAndOpen(stage, 'cleo');
    await items(page).getByRole('button', { name: 'POST /v1/dogs/cleo/barks' }).click();
    await button(page, 'Edit and send').click();
    expect(await page.getByLabel('Path').inputValue()).toBe('/v1/dogs/cleo/barks');
    expect(await page.getByLabel('Header fields').inputValue()).toBe('Accept: application/json');
    await page.getByLabel('Header fields').fill('Accept: application/json\nPrefer: respond-async');
    await button(page, 'Send').click();
    await details(page).getByText('202 Accepted').first().waitFor();
    expect(await shownIn(details(page))).toContain('Prefer: respond-async');
    await items(page).filter({ hasText: '202 Accepted' }).waitFor();
  });
});
