import { describeInBrowser, exchangeOf, Stage } from './support.ts';

describeInBrowser('The session of the console', () => {
  const stage = new Stage();

  test('survives a reload, on the same dog', async () => {
    const page = await stage.enter('#dogs/count-sync');
    await page.getByRole('heading', { name: 'count-sync', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'count-sync', exact: true }).waitFor();
  });

  test('ends with the sign-out, even after a reload', async () => {
    const page = await stage.enter();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
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
    expect(await page.getByText('dog-lover').isVisible()).toBe(true);
    await page.getByRole('link', { name: 'count-sync' }).click();
    await page.getByRole('button', { name: 'Bark', exact: true }).click();
    const exchange = exchangeOf(page, 'Make it bark');
    await exchange.getByText('Authorization: Bearer ••••••').waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Inbox' }).waitFor();
  });

  test('does not begin with an access token that the service refuses', async () => {
    const page = await stage.open('#access_token=a.b.c&user=dog-lover');
    await page.getByText('The service no longer accepts these credentials.').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });
});
