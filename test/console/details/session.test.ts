import type { Page } from 'playwright-core';
import {
  button,
  describeInBrowser,
  exchangeOf,
  expectAccessibleState,
  field,
  focused,
  heading,
  Stage,
  signIn,
} from '../support.ts';

describeInBrowser('The session of the console', () => {
  const stage = new Stage();

  const refuseCredentials = (page: Page) =>
    page.route('**/v1/**', (route) =>
      route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"detail":"No."}' }),
    );
  const stored = (page: Page): Promise<string> => page.evaluate('JSON.stringify({ ...sessionStorage })');

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
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await button(page, 'Sign in').click();
    await page.getByText('Enter the user name.').waitFor();
    await page.getByText('Enter the password.').waitFor();
    expect(await focused(page)).toBe('User name');
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

  test('ends without the requests of the user, which the next user does not see', async () => {
    const page = await stage.enter('#dogs/count-sync');
    await button(page, 'Bark').click();
    await exchangeOf(page, 'Make it bark').getByText('303 See Other → 200 OK').waitFor();
    const jane = await acceptJane(page);
    await button(page, 'Sign out').click();
    await signIn(page, { ...stage.access, ...jane });
    await page.getByRole('link', { name: 'Requests' }).click();
    await heading(page, 'Requests').waitFor();
    expect(await page.getByText('/barks').count()).toBe(0);
  });

  test('does not exist in another tab', async () => {
    const page = await stage.enter();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('begins with a sign-in link in a tab that shows the console', async () => {
    const page = await stage.open();
    await page.goto(stage.signIn.address);
    await button(page, 'Sign out').waitFor();
    expect(page.url()).toBe(`${stage.access.base_url}/`);
  });

  test('does not begin with an access token that the service refuses', async () => {
    const page = await stage.open('#access_token=a.b.c&user=dog-lover');
    await page.getByRole('alert').getByText('The service no longer accepts these credentials.').waitFor();
    await button(page, 'Sign in').waitFor();
    expect(page.url()).not.toContain('a.b.c');
    expect(await stored(page)).toBe('{}');
  });

  test('ends by itself when the service no longer accepts the password', async () => {
    const page = await stage.enter('#dogs/count-sync');
    await heading(page, 'count-sync').waitFor();
    await refuseCredentials(page);
    await page.getByRole('alert').getByText('The service no longer accepts these credentials.').waitFor();
    expect(await page.title()).toBe('Sign in – Dog service');
    expect(await field(page, 'User name').inputValue()).toBe('dog-lover');
  });

  test.each([
    ['the message of a bark', '#dogs/count-sync', 'Message', 'The postman is here'],
    ['a schedule', '#dogs/count-sync/schedule', 'Minutes from one bark to the next', '42'],
    ['the settings', '#dogs/count-sync/settings', 'owner', 'mailto:jane@example.com'],
    ['a new dog', '#new', 'ID', 'draft'],
  ])(
    'keeps a draft of %s while the user is in another view, and after a reload',
    async (_, address, label, value) => {
      const page = await stage.enter(address);
      await field(page, label).fill(value);
      await page.getByRole('link', { name: 'Activity', exact: true }).click();
      await heading(page, 'Activity').waitFor();
      await page.goBack();
      await field(page, label).waitFor();
      expect(await field(page, label).inputValue()).toBe(value);
      await page.reload();
      await field(page, label).waitFor();
      expect(await field(page, label).inputValue()).toBe(value);
    },
  );

  test('keeps a draft after its end, but only for the same user', async () => {
    const page = await stage.enter('#new');
    await field(page, 'ID').fill('draft');
    await refuseCredentials(page);
    await field(page, 'ID').press('Enter');
    await page.getByRole('alert').getByText('Your drafts are still here.').waitFor();
    await page.unrouteAll();
    const jane = await acceptJane(page);
    await signIn(page, { ...stage.access, ...jane });
    await field(page, 'ID').waitFor();
    expect(await field(page, 'ID').inputValue()).toBe('');
    await button(page, 'Sign out').click();
    await signIn(page, stage.access);
    await field(page, 'ID').waitFor();
    expect(await field(page, 'ID').inputValue()).toBe('draft');
  });
});
