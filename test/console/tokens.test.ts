import { button, describeInBrowser, Stage, shownIn } from './support.ts';
import { enterWithParameters } from './tokens.ts';

describeInBrowser('The tokens in the console', () => {
  const stage = new Stage();

  test('are shown with their claims, and the page neither shows nor stores the secrets', async () => {
    const page = await enterWithParameters(stage);
    const { client_secret = '', refresh_token = '' } = stage.access;
    await button(page, 'Get an access token').click();
    await page.getByText('Expires in').waitFor();
    expect(await shownIn(page.locator('.claims'))).toMatch(/alg[\s\S]*ES256[\s\S]*sub[\s\S]*exp/);
    const stored = await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    for (const secret of [client_secret, refresh_token]) {
      expect(secret).not.toBe('');
      expect(stored).not.toContain(secret);
      expect(await shownIn(page.locator('body'))).not.toContain(secret);
    }
    const secret = page.getByLabel('client_secret', { exact: true });
    expect(await secret.getAttribute('type')).toBe('password');
    await button(page, 'Show client_secret').click();
    expect(await secret.getAttribute('type')).toBe('text');
  });

  test('are accepted by the service, unless the signature is damaged', async () => {
    const page = await enterWithParameters(stage);
    await button(page, 'Get an access token').click();
    await button(page, 'Try it').click();
    await page.getByText('The service accepted the token').waitFor();
    await button(page, 'Try it with a damaged signature').click();
    await page.getByRole('alert').getByText('WWW-Authenticate: Basic realm="dogs"').waitFor();
    // The session does not end, because it has other credentials.
    expect(await button(page, 'Sign out').count()).toBe(1);
  });
});
