import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { start } from '../start/support.ts';
import { cardOf, describeInBrowser, exchangeOf, Stage, settings, shownIn, signIn } from './support.ts';

describeInBrowser('The console', () => {
  const stage = new Stage();

  describe('with a stage in the path, as on API Gateway', () => {
    let proxy: Server;
    let url: string;
    const otherPaths: string[] = [];

    beforeAll(async () => {
      proxy = stageProxy('/prod', stage.service.access.base_url, otherPaths);
      await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
      url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/prod`;
    });
    afterAll(() => proxy?.close());

    test.each(['', '/'])('calls the service below the stage if its URL ends in "%s"', async (end) => {
      const page = await stage.enter('', {}, end === '' ? url.replace(/\/prod$/, '/prod?x=') : url);
      await page.getByRole('link', { name: 'count-sync' }).click();
      await page.getByRole('button', { name: 'Bark', exact: true }).click();
      await cardOf(page, 'Make it bark')
        .getByText('The response redirected the browser to the dog.')
        .waitFor();
      const exchange = await shownIn(exchangeOf(page, 'Make it bark'));
      expect(exchange).toContain(`${url}/v1/dogs/count-sync/barks`);
      expect(exchange).toContain('POST /prod/v1/dogs/count-sync/barks');
      await exchangeOf(page, 'Make it bark')
        .getByText('Response to the GET /v1/dogs/count-sync/ that followed')
        .waitFor();
      await page.getByRole('link', { name: 'record-async' }).click();
      await page.getByRole('button', { name: 'Bark', exact: true }).click();
      await cardOf(page, 'Progress of the bark').getByText('The dog barked.').waitFor();
      expect(await page.getByRole('link', { name: 'API' }).getAttribute('href')).toBe(`${url}/docs`);
      expect(otherPaths).toEqual([]);
    });
  });

  test('shows that the service does not respond, and continues when the service responds again', async () => {
    const { directory, access } = stage.service;
    const page = await stage.enter('#dogs/count-sync');
    await cardOf(page, 'Make it bark').getByLabel('message').fill('Still here');
    await stage.service.stop();
    await page.getByRole('button', { name: 'Bark', exact: true }).click();
    await page.getByRole('alert').getByText('The service does not respond.').waitFor();
    await cardOf(page, 'Make it bark').locator('.problem', { hasText: 'does not respond' }).waitFor();
    await exchangeOf(page, 'Make it bark').locator('.badge', { hasText: 'no response' }).waitFor();

    await start(directory, { settings, environment: { PORT: new URL(access.base_url).port } });
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    expect(await page.getByLabel('message').inputValue()).toBe('Still here');
    await page.getByRole('button', { name: 'Bark', exact: true }).click();
    await cardOf(page, 'Make it bark').getByText('The response redirected the browser to the dog.').waitFor();
  });

  test('reads the dog once the service has started completely', async () => {
    const page = await stage.enter();
    let state: 'away' | 'back' | 'starting' = 'away';
    await page.route('**/v1/**', (route) => {
      if (state === 'away') return route.abort('connectionrefused');
      return state === 'back' ? route.continue() : route.fulfill({ status: 503 });
    });
    await page.getByRole('link', { name: 'count-sync' }).click();
    await page.getByRole('alert').waitFor();
    state = 'starting';
    for (let responses = 0; responses < 2; responses++)
      await page.waitForResponse((response) => response.status() === 503);
    expect(await page.getByRole('alert').isVisible()).toBe(true);
    state = 'back';
    await cardOf(page, 'Make it bark').waitFor();
    await page.getByRole('alert').waitFor({ state: 'hidden' });
  });

  test('shows during the sign-in that the service does not respond', async () => {
    const page = await stage.open();
    await page.route('**/v1/**', (route) => route.abort('connectionrefused'));
    await page.getByLabel('User', { exact: true }).fill('dog-lover');
    await page.keyboard.press('Enter');
    await page.getByText('The service does not respond.').waitFor();
    await page.unroute('**/v1/**');
    await signIn(page, stage.service.access);
  });
});

/** Returns a proxy that adds a stage to the paths and to the URLs in responses, as API Gateway does. */
function stageProxy(prefix: string, service: string, otherPaths: string[]): Server {
  return createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (!new RegExp(`^${prefix}(/|\\?|$)`).test(url)) otherPaths.push(url);
    const own = `http://${headers.host}${prefix}`;
    const forwarded = request(
      service + (url.slice(prefix.length) || '/'),
      { method, headers: { ...headers, host: new URL(service).host, 'accept-encoding': 'identity' } },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const { 'content-length': _, ...fields } = response.headers;
        if (fields.location) fields.location = fields.location.replace(service, own);
        outgoing.writeHead(response.statusCode ?? 502, fields);
        outgoing.end(Buffer.concat(chunks).toString().replaceAll(`${service}/`, `${own}/`));
      },
    );
    incoming.pipe(forwarded);
  });
}
