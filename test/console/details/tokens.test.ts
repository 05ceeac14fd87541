import { button, describeInBrowser, expectAccessibleState, field, focused, Stage } from '../support.ts';
import { enterWithParameters } from '../tokens.ts';

describeInBrowser('The tokens in the console', () => {
  const stage = new Stage();

  test('replace the password of the session, and expire after an hour', async () => {
    const page = await enterWithParameters(stage, { clock: Date.now() });
    await button(page, 'Get an access token').click();
    await button(page, 'Use it in this session').click();
    const credentials = JSON.parse(await page.evaluate('sessionStorage.credentials'));
    expect(credentials).toEqual({ user: stage.access.username, accessToken: expect.any(String) });
    await page.getByText('Expires in').waitFor();
    await page.clock.fastForward('01:00:05');
    await page.getByText('The token has expired.').waitFor();
    await page.reload();
    await button(page, 'Sign out').waitFor();
  });

  test('need all parameters', async () => {
    const page = await stage.enter('#tokens');
    await field(page, 'client_id').fill('walker');
    await button(page, 'Get an access token').click();
    await page.getByText('Enter the client_secret.').waitFor();
    expect(await focused(page)).toBe('client_secret');
    await expectAccessibleState(page);
  });
});
