import type { Page } from 'playwright-core';
import {
  button,
  describeInBrowser,
  expectAccessibleState,
  expectFocus,
  field,
  heading,
  Stage,
  signIn,
  trafficOf,
} from '../support.ts';

describeInBrowser('The session of the console', () => {
  const stage = new Stage();

  /** Makes the service accept a second user. */
  async function acceptJane(page: Page): Promise<{ username: string; password: string }> {
    const jane = { username: 'jane', password: 'woof' };
    const basic = (user: string, password: string) => `Basic ${btoa(`${user}:${password}`)}`;
    const { username, password } = stage.access;
    await page.route('**/v1/**', async (route) => {
      const headers = await route.request().allHeaders();
      const isJane = headers.authorization === basic(jane.username, jane.password);
      await route.continue({
        headers: { ...headers, ...(isJane && { authorization: basic(username, password) }) },
      });
    });
    return jane;
  }

  test('does not begin with an empty field, which has an error before the page sends a request', async () => {
    const page = await stage.open();
    const { sent } = trafficOf(page);
    await button(page, 'Sign in').click();
    await page.getByText('Enter the user name.').waitFor();
    await page.getByText('Enter the password.').waitFor();
    await expectFocus(page, 'User name');
    expect(sent).toEqual([]);
    await expectAccessibleState(page);
  });

  test('survives a reload, on the same dog and without the sign-in form', async () => {
    const page = await stage.enter('#dogs/count-sync', { isNew: true });
    await heading(page, 'count-sync').waitFor();
    await page.addInitScript(`
      new MutationObserver(() => { window.hasShownForm ||= document.querySelector('.sign-in') !== null })
        .observe(document, { childList: true, subtree: true });`);
    await page.reload();
    await heading(page, 'count-sync').waitFor();
    expect(await page.evaluate('window.hasShownForm')).toBe(false);
  });

  test('does not exist in another tab, where it begins with a sign-in link', async () => {
    const page = await stage.enter();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    await other.goto(stage.signIn.address);
    await button(other, 'Sign out').waitFor();
    expect(other.url()).toBe(`${stage.access.base_url}/`);
  });

  test('does not begin with an access token that the service refuses', async () => {
    const page = await stage.open('#access_token=a.b.c&user=dog-lover');
    await page.getByRole('alert').getByText('The service no longer accepts these credentials.').waitFor();
    await button(page, 'Sign in').waitFor();
    expect(page.url()).not.toContain('a.b.c');
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}');
  });

  test('keeps the drafts of all forms while the user is in another view, and after a reload', async () => {
    const drafts = [
      ['#dogs/count-sync', 'Message', 'The postman is here'],
      ['#dogs/count-sync/schedule', 'Minutes from one bark to the next', '42'],
      ['#dogs/count-sync/settings', 'owner', 'mailto:jane@example.com'],
      ['#new', 'ID', 'draft'],
    ] as const;
    const page = await stage.enter();
    const go = (address: string) => page.evaluate(`location.hash = '${address}'`);
    for (const [address, label, value] of drafts) {
      await go(address);
      await field(page, label).fill(value);
    }
    for (const [address, label, value] of drafts) {
      await go(address);
      await field(page, label).waitFor();
      expect([label, await field(page, label).inputValue()]).toEqual([label, value]);
      await page.reload();
      await field(page, label).waitFor();
      expect([label, await field(page, label).inputValue()]).toEqual([label, value]);
    }
  });

  test('ends when the service refuses the password, and keeps a draft, but only for the same user', async () => {
    const page = await stage.enter('#new');
    await field(page, 'ID').fill('draft');
    await page.route('**/v1/**', (route) => route.fulfill({ status: 401, json: { detail: 'No.' } }));
    await field(page, 'ID').press('Enter');
    await page.getByRole('alert').getByText('Your drafts are still here.').waitFor();
    expect(await field(page, 'User name').inputValue()).toBe('dog-lover');
    await page.unrouteAll();
    const jane = await acceptJane(page);
    await signIn(page, { ...stage.access, ...jane });
    await field(page, 'ID').waitFor();
    expect(await field(page, 'ID').inputValue()).toBe('');
    // The next user does not see the requests, either.
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByText('No request to show, except background reads.').waitFor();
    await page.goBack();
    await button(page, 'Sign out').click();
    await signIn(page, stage.access);
    await field(page, 'ID').waitFor();
    expect(await field(page, 'ID').inputValue()).toBe('draft');
  });
});
