import type { Page } from 'playwright-core';
import { describeInBrowser, focused, Stage, shownIn } from './support.ts';

describeInBrowser('The tokens in the console', () => {
  const stage = new Stage();

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  /** Opens the view of tokens and pastes the content of `access.json`. */
  async function enterWithParameters(): Promise<Page> {
    const page = await stage.enter('#tokens');
    await page.getByLabel('client_id', { exact: true }).focus();
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', ${JSON.stringify(JSON.stringify(stage.service.access))});
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(event);
    }`);
    await page.getByText('The page filled in the values from the pasted JSON.').waitFor();
    return page;
  }

  test('are shown with their claims, and the page neither shows nor stores the secrets', async () => {
    const page = await enterWithParameters();
    const { client_secret = '', refresh_token = '' } = stage.service.access;
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
    const page = await enterWithParameters();
    await button(page, 'Get an access token').click();
    await button(page, 'Try it').click();
    await page.getByText('The service accepted the token').waitFor();
    await button(page, 'Try it with a damaged signature').click();
    await page.getByRole('alert').getByText('WWW-Authenticate: Basic realm="dogs"').waitFor();
    // The session does not end, because it has other credentials.
    expect(await button(page, 'Sign out').count()).toBe(1);
  });

  test('replace the password of the session', async () => {
    const page = await enterWithParameters();
    await button(page, 'Get an access token').click();
    await button(page, 'Use it in this session').click();
    const credentials = JSON.parse(await page.evaluate('sessionStorage.credentials'));
    expect(credentials).toEqual({ user: stage.service.access.username, accessToken: expect.any(String) });
    await page.reload();
    await button(page, 'Sign out').waitFor();
  });

  test('expire after an hour', async () => {
    const page = await enterWithParameters();
    await button(page, 'Get an access token').click();
    await page.getByText('Expires in').waitFor();
    await page.clock.install({ time: Date.now() });
    await page.clock.fastForward('01:00:05');
    await page.getByText('The token has expired.').waitFor();
  });

  test('need all parameters', async () => {
    const page = await stage.enter('#tokens');
    await page.getByLabel('client_id', { exact: true }).fill('walker');
    await button(page, 'Get an access token').click();
    await page.getByText('Enter the client_secret.').waitFor();
    expect(await focused(page)).toBe('client_secret');
  });

  test('are not issued for an unknown refresh token', async () => {
    const page = await enterWithParameters();
    await page.getByLabel('refresh_token', { exact: true }).fill('unknown');
    await button(page, 'Get an access token').click();
    await page.getByRole('alert').getByText('The refresh token is unknown').waitFor();
  });
});
