import {
  button,
  describeInBrowser,
  describeInDetail,
  dogLink,
  exchangeOf,
  expectFocus,
  field,
  heading,
  shownIn,
  signIn,
  stage,
} from './support.ts';

describeInBrowser('The session of the console', () => {
  const home = 'Make a dog bark without a verb in the URL';

  test('begins with the password, but no wrong one, and ends with the sign-out, which forgets everything secret', async () => {
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

  test('begins with the sign-in link, whose access token leaves the address, in a tab with the console', async () => {
    const { address, accessToken } = stage.signIn;
    const page = await stage.open();
    await button(page, 'Sign in').waitFor();
    await page.goto(address);
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
});

describeInDetail('The session of the console', () => {
  test('does not begin with an access token that the service refuses', async () => {
    const page = await stage.open('#access_token=a.b.c&user=dog-lover');
    await page.getByRole('alert').getByText('The service no longer accepts these credentials.').waitFor();
    await button(page, 'Sign in').waitFor();
    expect(page.url()).not.toContain('a.b.c');
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}');
  });

  /** Opens the console of the service with an access token in the URL, as if the service had another origin. */
  const openAt = (origin: string) => {
    const { user, accessToken: access_token } = stage.signIn;
    return stage.open(`${origin}/#${new URLSearchParams({ access_token, user })}`, {
      prepare: (page) =>
        page.route(`${origin}/**`, async (route) => {
          const { pathname, search } = new URL(route.request().url());
          const url = `${stage.access.base_url}${pathname}${search}`;
          const { host } = new URL(url);
          const headers = { ...route.request().headers(), host };
          await route.fulfill({ response: await route.fetch({ url, headers }) });
        }),
    });
  };

  test('begins with the sign-in link at an address in a network, where idempotency keys can be made too', async () => {
    const page = await openAt('http://192.0.2.7:3000');
    await dogLink(page, 'count-sync').click();
    expect(await page.evaluate('isSecureContext')).toBe(false);
    await button(page, 'New key').click();
    expect(await page.getByLabel('Idempotency-Key').inputValue()).toMatch(/^\d+(-\d+){3}$/);
  });

  test('does not begin with an access token in a link to a service on AWS', async () => {
    const page = await openAt('https://dogs.example');
    await button(page, 'Sign in').waitFor();
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}');
  });

  test('ends when the service refuses the password, and begins again in the same view', async () => {
    const page = await stage.enter('#new');
    await field(page, 'ID').fill('max');
    await page.route('**/v1/**', (route) => route.fulfill({ status: 401, json: { detail: 'No.' } }));
    await field(page, 'ID').press('Enter');
    await page.getByRole('alert').getByText('The service no longer accepts these credentials.').waitFor();
    expect(await field(page, 'User name').inputValue()).toBe('dog-lover');
    await page.unrouteAll();
    await signIn(page, stage.access);
    await heading(page, 'New dog').waitFor();
  });
});
