import {
  button,
  describeInBrowser,
  dogLink,
  exchangeOf,
  expectFocus,
  field,
  heading,
  Stage,
  shownIn,
} from './support.ts';

describeInBrowser('The session of the console', () => {
  const stage = new Stage();
  const home = 'Make a dog bark without a verb in the URL';

  test('begins with the password, after an alert beside the form for a wrong password', async () => {
    const page = await stage.open();
    expect(await page.title()).toBe('Sign in – Dog service');
    await field(page, 'User name').fill('dog-lover');
    await field(page, 'Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The user name or the password is wrong.').waitFor();
    await expectFocus(page, 'Password');
    expect(await field(page, 'User name').inputValue()).toBe('dog-lover');
    await page.keyboard.type(stage.access.password);
    await page.keyboard.press('Enter');
    await heading(page, home).waitFor();
    await expectFocus(page, home);
    const kept: string = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, document.cookie, location.href, document.documentElement.outerHTML])',
    );
    expect(kept).not.toContain(stage.access.password);
  });

  test('begins with the sign-in link, whose access token leaves the address', async () => {
    const { address, accessToken } = stage.signIn;
    const page = await stage.open(address);
    await heading(page, home).waitFor();
    expect(page.url()).toBe(`${stage.access.base_url}/`);
    expect(await page.getByText('dog-lover', { exact: true }).isVisible()).toBe(true);
    await dogLink(page, 'count-sync').click();
    await button(page, 'Bark').click();
    const exchange = exchangeOf(page, 'Make it bark');
    await exchange.getByText('303 See Other → 200 OK').waitFor();
    expect(await shownIn(exchange)).not.toContain(accessToken);
    await page.reload();
    const [inbox] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Inbox' }).click(),
    ]);
    await heading(inbox, 'Inbox').waitFor();
    expect(inbox.url()).toBe(stage.inboxUrl);
  });

  test('has no link to an inbox at another origin', async () => {
    const fragment = new URLSearchParams(new URL(stage.signIn.address).hash.slice(1));
    fragment.set('inbox', '//evil.example/');
    const page = await stage.open(`#${fragment}`);
    await button(page, 'Sign out').waitFor();
    expect(await page.getByRole('link', { name: 'Inbox' }).count()).toBe(0);
  });

  test('ends with the sign-out, which forgets everything secret, even after a reload', async () => {
    const page = await stage.open(stage.signIn.address);
    await dogLink(page, 'count-sync').waitFor();
    await button(page, 'Sign out').click();
    await page.getByRole('status').getByText('You are signed out.').waitFor();
    // The heading gets the focus after the message has appeared.
    await expectFocus(page, 'Sign in');
    expect(await field(page, 'Password').inputValue()).toBe('');
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}');
    expect(await page.getByText('count-sync').count()).toBe(0);
    await page.evaluate("location.hash = 'dogs/record-sync'");
    await page.waitForURL(/record-sync$/);
    expect(await page.getByText('record-sync').count()).toBe(0);
    await page.reload();
    await button(page, 'Sign in').waitFor();
  });
});
