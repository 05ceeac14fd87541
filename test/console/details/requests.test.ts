import { dogAt } from '../../support/client.ts';
import { barkAndOpen, details, items, list } from '../requests.ts';
import { button, describeInBrowser, expectAccessibleState, expectFocus, Stage, shownIn } from '../support.ts';

describeInBrowser('The requests in the console', () => {
  const stage = new Stage();

  test('can be sent again, are gone after a reload, and never contain the password', async () => {
    const page = await barkAndOpen(stage, 'bea');
    expect(await shownIn(page.locator('body'))).not.toContain(stage.access.password);
    await items(page).getByRole('button', { name: 'POST /v1/dogs/bea/barks' }).click();
    await details(page).getByText('201 Created').first().waitFor();
    await button(page, 'Send again').click();
    await items(page).filter({ hasText: 'POST' }).nth(1).waitFor();
    expect(await dogAt(stage.client, '/v1/dogs/bea/')).toMatchObject({ barkCount: 2 });
    await page.reload();
    await page.getByText('No request to show, except background reads.').waitFor();
  });

  test('are not sent with an error in a field, to which the focus moves', async () => {
    const page = await stage.enter('#requests');
    await button(page, 'New request').click();
    await page.getByLabel('Path').fill('v1/dogs/');
    await page.getByLabel('Header fields').fill('Authorization: Basic abc');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The path must begin with a slash.').waitFor();
    await page.getByText('Line 1: the page adds Authorization itself.').waitFor();
    await expectFocus(page, 'Path');
    expect(await items(page).count()).toBe(0);
    await expectAccessibleState(page);
    await page.getByLabel('Path').fill('/v1/dogs/unknown/');
    await page.getByLabel('Header fields').fill('');
    await page.keyboard.press('Control+Enter');
    await details(page).getByText('404 Not Found').first().waitFor();
  });

  test('for tokens are kept without their bodies, and a refused one does not end the session', async () => {
    const page = await stage.enter('#requests');
    await button(page, 'New request').click();
    await page.getByLabel('Method').last().selectOption('POST');
    await page.getByLabel('Path').fill('/oauth2/v4/token');
    await page.getByLabel('Header fields').fill('Content-Type: application/x-www-form-urlencoded');
    const secret = 'a-secret-of-mine';
    await page
      .getByLabel('Body')
      .fill(`grant_type=refresh_token&client_id=x&client_secret=${secret}&refresh_token=y`);
    await button(page, 'Send').click();
    await items(page).getByRole('button', { name: 'POST /oauth2/v4/token' }).click();
    await page.getByText('The history does not keep the bodies of this exchange').waitFor();
    expect(await shownIn(page.locator('main'))).not.toContain(secret);
    expect(await button(page, 'Send again').count()).toBe(0);
    expect(await button(page, 'Edit and send').count()).toBe(0);
  });

  test('have one column on a phone, with a way back to the list', async () => {
    const page = await stage.enter('#dogs/record-sync', { viewport: { width: 390, height: 844 } });
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await items(page).getByRole('button').first().click();
    expect(await list(page).isVisible()).toBe(false);
    await page.locator('.request-details:focus').waitFor();
    await button(page, '← All requests').click();
    await list(page).waitFor();
  });
});
