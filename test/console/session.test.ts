import type { Page } from 'playwright-core';
import { describeInBrowser, exchangeOf, focused, Stage, shownIn, signIn } from './support.ts';

describeInBrowser('The session of the console', () => {
  const stage = new Stage();
  const home = 'Make a dog bark without a verb in the URL';

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
  const refuseCredentials = (page: Page) =>
    page.route('**/v1/**', (route) =>
      route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"detail":"No."}' }),
    );
  const stored = (page: Page): Promise<string> => page.evaluate('JSON.stringify({ ...sessionStorage })');

  /** Makes the service accept a second user. */
  async function acceptJane(page: Page): Promise<{ username: string; password: string }> {
    const jane = { username: 'jane', password: 'woof' };
    const basic = (user: string, password: string) => `Basic ${btoa(`${user}:${password}`)}`;
    const { username, password } = stage.service.access;
    await page.route('**/v1/**', async (route) => {
      const headers = await route.request().allHeaders();
      const isJane = headers.authorization === basic(jane.username, jane.password);
      await route.continue({
        headers: { ...headers, ...(isJane && { authorization: basic(username, password) }) },
      });
    });
    return jane;
  }

  test('begins on the home page, and only the storage of the tab has the password', async () => {
    const page = await stage.enter();
    expect(await focused(page)).toBe(home);
    const kept: string = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, document.cookie, location.href, document.documentElement.outerHTML])',
    );
    expect(kept).not.toContain(stage.service.access.password);
  });

  test('does not begin with a wrong password, which a red alert states beside the form', async () => {
    const page = await stage.open();
    expect(await page.title()).toBe('Sign in – Dog service');
    await field(page, 'User name').fill('dog-lover');
    await field(page, 'Password').fill('wrong');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await alert.getByText('The user name or the password is wrong.').waitFor();
    const color: string = await page.evaluate(
      "getComputedStyle(document.querySelector('[role=alert]')).color",
    );
    const [red = 0, green = 0] = [...color.matchAll(/[\d.]+/g)].map(Number);
    expect(red).toBeGreaterThan(2 * green);
    expect(await page.locator('.good').count()).toBe(0);
    expect(await focused(page)).toBe('Password');
    expect(await field(page, 'User name').inputValue()).toBe('dog-lover');
    await page.keyboard.type(stage.service.access.password);
    await page.keyboard.press('Enter');
    await heading(page, home).waitFor();
  });

  test('does not begin with an empty field, which has an error before the page sends a request', async () => {
    const page = await stage.open();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter the user name.').waitFor();
    await page.getByText('Enter the password.').waitFor();
    expect(await focused(page)).toBe('User name');
    expect(sent).toEqual([]);
  });

  test('survives a reload, on the same dog and without the sign-in form', async () => {
    const page = await stage.enter('#dogs/count-sync');
    await heading(page, 'count-sync').waitFor();
    await page.addInitScript(`
      new MutationObserver(() => { window.hasShownForm ||= document.querySelector('.sign-in') !== null })
        .observe(document, { childList: true, subtree: true });`);
    await page.reload();
    await heading(page, 'count-sync').waitFor();
    expect(await page.evaluate('window.hasShownForm')).toBe(false);
  });

  test('ends with the sign-out, which forgets everything secret, even after a reload', async () => {
    const page = await stage.enter('#dogs/count-sync');
    await heading(page, 'count-sync').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('status').getByText('You are signed out.').waitFor();
    expect(await focused(page)).toBe('Sign in');
    expect(await field(page, 'Password').inputValue()).toBe('');
    expect(await stored(page)).toBe('{}');
    expect(await page.getByText('count-sync').count()).toBe(0);
    await page.evaluate("location.hash = 'dogs/record-sync'");
    await page.waitForURL(/record-sync$/);
    expect(await page.getByText('record-sync').count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('ends without the requests of the user, which the next user does not see', async () => {
    const page = await stage.enter('#dogs/count-sync');
    await page.getByRole('button', { name: 'Bark', exact: true }).click();
    await exchangeOf(page, 'Make it bark').getByText('303 See Other → 200 OK').waitFor();
    const jane = await acceptJane(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, { ...stage.service.access, ...jane });
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

  test('begins with the sign-in link, whose access token leaves the address', async () => {
    const page = await stage.follow();
    expect(page.url()).toBe(`${stage.service.access.base_url}/`);
    expect(await page.getByText('dog-lover', { exact: true }).isVisible()).toBe(true);
    const { accessToken } = JSON.parse(JSON.parse(await stored(page)).credentials);
    await page.getByRole('navigation', { name: 'Dogs' }).getByRole('link', { name: 'count-sync' }).click();
    await page.getByRole('button', { name: 'Bark', exact: true }).click();
    const exchange = exchangeOf(page, 'Make it bark');
    await exchange.getByText('303 See Other → 200 OK').waitFor();
    expect(await shownIn(exchange)).not.toContain(accessToken);
    await page.reload();
    await page.getByRole('link', { name: 'Inbox' }).waitFor();

    // A tab that shows the console does not load the page again by itself.
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.goto(`${stage.service.access.base_url}/#access_token=${accessToken}&user=dog-lover`);
    await heading(page, home).waitFor();
    expect(page.url()).toBe(`${stage.service.access.base_url}/`);
  });

  test('does not begin with an access token that the service refuses', async () => {
    const page = await stage.open('#access_token=a.b.c&user=dog-lover');
    await page.getByRole('alert').getByText('The service no longer accepts these credentials.').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
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
  ])('keeps a draft of %s for the same user, even after its end', async (_, address, label, value) => {
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

    await refuseCredentials(page);
    await field(page, label).press('Enter');
    await page.getByRole('alert').getByText('Your drafts are still here.').waitFor();
    await page.unrouteAll();
    const jane = await acceptJane(page);
    await signIn(page, { ...stage.service.access, ...jane });
    await field(page, label).waitFor();
    expect(await field(page, label).inputValue()).not.toBe(value);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, stage.service.access);
    await field(page, label).waitFor();
    expect(await field(page, label).inputValue()).toBe(value);
  });
});
