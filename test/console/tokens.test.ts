import { button, describeInBrowser, field, shownIn, stage } from './support.ts';

describeInBrowser('The tokens in the console', () => {
  test('are accepted by the service until they expire, and the page neither shows nor stores the secrets', async () => {
    const page = await stage.enter('#tokens', { clock: Date.now() });
    await field(page, 'client_id').focus();
    // The content of `access.json`
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', ${JSON.stringify(JSON.stringify(stage.access))});
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(event);
    }`);
    await page.getByText('The page filled in the values from the pasted JSON.').waitFor();
    await button(page, 'Get an access token').click();
    await page.getByText('Expires in').waitFor();
    const { client_secret = '', refresh_token = '' } = stage.access;
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

    await button(page, 'Try it').click();
    await page.getByText('The service accepted the token').waitFor();
    await button(page, 'Try it with a damaged signature').click();
    await page.getByRole('alert').getByText('WWW-Authenticate: Basic realm="dogs"').waitFor();
    // The session does not end, because it uses other credentials.
    expect(await button(page, 'Sign out').count()).toBe(1);
    await button(page, 'Use it in this session').click();
    const credentials = JSON.parse(await page.evaluate('sessionStorage.credentials'));
    expect(credentials).toEqual({ user: stage.access.username, accessToken: expect.any(String) });
    await page.clock.fastForward('01:00:05');
    await page.getByText('The token has expired.').waitFor();

    await field(page, 'refresh_token').fill('unknown');
    await button(page, 'Get an access token').click();
    await page.getByRole('alert').getByText('The refresh token is unknown').waitFor();
  });
});
